package main

import (
	"github.com/spf13/cobra"

	"anyhook.net/desktop/capture/provider"
)

// walk is what somebody reads who knows nothing yet.
const walk = `AnyHook captures webhooks on this machine, checks their signatures, stores them
before they are acknowledged, and delivers them to your handler: as they come, and
again as often as you like.

A first walk, without an account and without a network, in three terminals:

  1$ anyhook practice --flaw race          # a handler to try things on, at port 3000
  2$ anyhook serve --provider stripe --secret s3cret --target http://localhost:3000/webhooks
  3$ anyhook send --provider stripe --secret s3cret http://127.0.0.1:4080/stripe
  3$ anyhook list                          # the third column is the ID
  3$ anyhook show ID
  2$ Ctrl+C                                # replay and import want serve to be stopped
  3$ anyhook replay ID --target http://localhost:3000/webhooks
  3$ anyhook export --out testdata/webhooks ID

For a real provider, give serve a way in (--tunnel ngrok, or own), put the public
URL into the provider's settings, and its signing secret after --secret.

All that is captured is in the data folder, which --data names. Bad input is one line on
standard error and exit status 64; 1 says that the answer is no, 3 that it could
not be done.`

// arrange puts the commands in the order of the work.
func (c *program) arrange(root *cobra.Command) {
	root.AddGroup(
		&cobra.Group{ID: "capture", Title: "Capture:"},
		&cobra.Group{ID: "look", Title: "Look:"},
		&cobra.Group{ID: "keep", Title: "Again, and for tests:"},
		&cobra.Group{ID: "more", Title: "More:"},
	)
	for group, cmds := range map[string][]*cobra.Command{
		"capture": {c.serve(), c.send(), c.practice()},
		"look":    {c.list(), c.show(), c.verify(), c.providers()},
		"keep":    {c.replay(), c.export(), c.importFiles()},
		"more":    {c.version()},
	} {
		for _, cmd := range cmds {
			cmd.GroupID = group
			root.AddCommand(cmd)
		}
	}
	root.SetHelpCommandGroupID("more")
	root.SetCompletionCommandGroupID("more")
}

// offer has the shell complete the values of a flag.
func offer(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // there is no such flag
	}
}

func providerNames() []string {
	names := make([]string, len(provider.All))
	for i, p := range provider.All {
		names[i] = p.Name
	}
	return names
}
