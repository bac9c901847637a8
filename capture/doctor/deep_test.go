package doctor

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestADeepBodyIsNotLaidOut(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 9000) + strings.Repeat("0,", 1000) + "0" + strings.Repeat("]", 9000)
	require.Nil(t, indented([]byte(deep), "    "))
	require.Equal(t, "[\n  1\n]", string(indented([]byte("[1]\n"), "  ")))
}
