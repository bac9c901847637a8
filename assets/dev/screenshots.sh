#!/bin/sh
# Pictures of the real window, on the screen that DISPLAY names:
#
#   make screenshots
#
# bin/anyhook-desktop is started on a folder of its own, filled with webhooks by
# "anyhook send" and curl, worked by keys, and photographed once for each language
# and theme: into assets/screenshots in English and light, and the inbox in all;
# the rest into bin/screenshots/window. Nothing is made up: the deliveries are to
# practice handlers, one of which fails, and to one that is not there.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$root/bin:$PATH

listen=${LISTEN:-127.0.0.1:4080} shop=${SHOP:-127.0.0.1:3000} broken=${BROKEN:-127.0.0.1:3001}
here=http://$listen
out=$root/assets/screenshots more=$root/bin/screenshots/window
for need in xdotool import openssl curl; do
	command -v $need >/dev/null || { echo "$0: $need is missing" >&2; exit 1; }
done
for at in $listen $shop $broken; do
	if curl -s -o /dev/null --max-time 2 "http://$at/"; then
		echo "$0: something uses $at: stop it first" >&2
		exit 1
	fi
done

dir=$(mktemp -d)
pids=''
trap 'for p in $pids; do kill "$p" 2>/dev/null || :; done; wait; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
export HOME="$dir/home" XDG_CONFIG_HOME="$dir/home/.config" XDG_CACHE_HOME="$dir/home/.cache" ANYHOOK_NO_KEYCHAIN=1
data=webhooks prefs=$XDG_CONFIG_HOME/fyne/net.anyhook.desktop
mkdir -p "$prefs" "$XDG_CACHE_HOME" "$out" "$more"
cd "$dir" # the settings show the data folder as it is given
mkdir $data

# until_true COMMAND... waits for it, for half a minute at most.
until_true() {
	tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || { echo "$0: waited in vain for: $*" >&2; exit 1; }
		sleep 0.1
	done
}

# ---- handlers and endpoints

anyhook practice --listen $shop >"$dir/shop.log" & pids="$pids $!"
anyhook practice --listen $broken --flaw fails >"$dir/broken.log" & pids="$pids $!"
secret=whsec_$(printf 'a secret of the pictures' | openssl base64)
cat >"$dir/endpoints.yaml" <<YAML
- {name: everything else, path: /, target: "http://$shop/webhooks"}
- {name: billing, path: /stripe, provider: stripe, secrets: [$secret], target: "http://$broken/webhooks"}
- {name: repositories, path: /github, provider: github, secrets: [$secret], target: "http://$shop/webhooks"}
- {name: shop, path: /shopify, provider: shopify, secrets: [$secret], target: "http://$shop/webhooks", reply: wait}
- {name: crm, path: /hubspot, provider: hubspot, secrets: [$secret], target: "http://$shop/webhooks"}
- {name: chat, path: /slack, provider: slack, secrets: [$secret], target: "http://127.0.0.1:3999/slack"}
YAML
anyhook serve --data "$data" --listen $listen --endpoint "$dir/endpoints.yaml" >"$dir/serve.log" &
serve=$!
until_true grep -q http:// "$dir/serve.log"
kill -INT $serve
wait $serve || :

# ---- the window

# start LANGUAGE THEME
start() {
	printf '{"theme":"%s"}' "$2" >"$prefs/preferences.json"
	case $1 in
	zh-TW) speaks=zh_TW.UTF-8 ;;
	*) speaks=en_US.UTF-8 ;;
	esac
	LC_ALL=$speaks LANG=$speaks anyhook-desktop -data "$data" -listen $listen 2>"$dir/window.log" &
	app=$!
	pids="$pids $app"
	until_true xdotool search --onlyvisible --pid $app
	window=$(xdotool search --onlyvisible --pid $app | tail -n 1)
	xdotool windowfocus --sync "$window" mousemove 50 600
	settle
}

stop() {
	xdotool key ctrl+q
	wait $app
}

# settle waits until two pictures are the same, and leaves the last in $dir/now.png.
settle() {
	before=''
	tries=0
	while :; do
		sleep 0.25 # between two pictures, not in place of one
		import -window "$window" "$dir/now.png"
		now=$(convert "$dir/now.png" rgb:- | cksum)
		[ "$now" != "$before" ] || return 0
		before=$now
		tries=$((tries + 1))
		[ $tries -lt 120 ] || { echo "$0: the window never rests" >&2; exit 1; }
	done
}

# shot NAME keeps a picture, of few enough colours to be small.
shot() {
	settle
	to=$more
	case $1$suffix in inbox* | "$1") to=$out ;; esac
	convert "$dir/now.png" -strip -dither None -colors 255 -define png:compression-level=9 "png8:$to/$1$suffix.png"
}

keys() {
	xdotool key --delay 80 "$@"
	settle
}

# row PATTERN selects the newest request that "anyhook list" shows with a pattern.
row() {
	n=$(anyhook list --data "$data" | grep -nE "$1" | head -n 1 | cut -d: -f1)
	[ -n "$n" ] || { echo "$0: no request is like $1" >&2; exit 1; }
	keys ctrl+1 Home
	while [ "$n" -gt 1 ]; do
		xdotool key --delay 40 Down
		n=$((n - 1))
	done
	settle
}

# ---- a day

# send PATH PROVIDER SAMPLE [SECRET]
send() {
	anyhook send --provider "$2" --sample "$3" ${4:+--secret "$4"} "$here$1" >>"$dir/sent.log" || :
}

# stripe ID TYPE OBJECT AGE [SIGNED] sends an event that is so many seconds old, signed so many seconds ago.
stripe() {
	now=$(date +%s)
	body=$(printf '{"id":"%s","object":"event","type":"%s","created":%d,"livemode":false,"data":{"object":{"id":"%s","object":"%s","status":"paid","amount_paid":129900,"currency":"twd","description":"年度方案 × 1，含稅","customer_name":"陳怡君","lines":[{"quantity":1,"price":"price_1QyearTW"}]}}}' \
		"$1" "$2" $((now - $4)) "$3" "${2%%.*}")
	t=$((now - ${5:-0}))
	v1=$(printf '%s.%s' "$t" "$body" | openssl dgst -sha256 -mac HMAC -macopt "key:$secret" | sed 's/.* //')
	curl -s -o /dev/null "$here/stripe" -H 'User-Agent: Stripe/1.0 (+https://stripe.com/docs/webhooks)' \
		-H 'Content-Type: application/json; charset=utf-8' -H "Stripe-Signature: t=$t,v1=$v1" --data-binary "$body"
}

# rewritten sends a signed event whose body was written anew on its way.
rewritten() {
	body='{"action":"opened","number":128,"pull_request":{"id":2094417651,"title":"Take webhooks once","state":"open","updated_at":"2026-11-30T11:59:57Z"},"repository":{"full_name":"example/shop"}}'
	sig=$(printf '%s' "$body" | openssl dgst -sha256 -mac HMAC -macopt "key:$secret" | sed 's/.* //')
	printf '%s' "$body" | sed 's/,"/, "/g; s/":/": /g' | curl -s -o /dev/null "$here/github" -H 'User-Agent: GitHub-Hookshot/044aadd' \
		-H 'Content-Type: application/json' -H 'X-GitHub-Event: pull_request' -H 'X-GitHub-Delivery: 72d3162e-cc78-11e3-81ab-4c9367dc0958' \
		-H "X-Hub-Signature-256: sha256=$sig" --data-binary @-
}

day() {
	curl -s -o /dev/null -A 'Mozilla/5.0' "$here/"
	send /slack slack url_verification "$secret"
	send /github github push "$secret"
	stripe evt_1QhA2a customer.subscription.created sub_1QhA2aTW 40
	send /hubspot hubspot batch-of-three "$secret"
	stripe evt_1QhA2c customer.subscription.updated sub_1QhA2aTW 1
	stripe evt_1QhA2b customer.subscription.updated sub_1QhA2aTW 21
	rewritten
	send /shopify shopify orders-paid "$secret"
	stripe evt_1QhB7p invoice.paid in_1QhB7pTW 2
	stripe evt_1QhB7p invoice.paid in_1QhB7pTW 2
	send / twilio status-delivered
	stripe evt_1QgOld invoice.paid in_1QgOldTW 900 900
	send /slack slack message "$secret"
	send / calendly invitee.created
	curl -s -o /dev/null "$here/crm/orders" -H 'Content-Type: application/json' -H 'X-Event: 訂單已付款' \
		--data-binary '{"event":"訂單.已付款","id":"A-20260731","customer":"林志明","total":"NT$ 3,280"}'
	send /shopify shopify orders-create "$secret"
	stripe evt_1QhC3q invoice.paid in_1QhC3qTW 1
	send /github github push "$secret"
}

# retried is true when a delivery failed, and was taken at a later try.
retried() {
	anyhook list --data "$data" | grep -o 'req_[A-Z0-9]*' | while read -r id; do
		n=$(anyhook show --data "$data" --json "$id" | grep -c '"kind":"attempt"')
		[ "$n" -lt 2 ] || echo "$id"
	done | grep -q .
}

suffix='' app=''
start en light
day
until_true retried
failing=$(anyhook list --data "$data" | grep -o 'req_[A-Z0-9]*' | while read -r id; do
	anyhook show --data "$data" --json "$id" | grep -q '"status":500' && echo "$id" && break
done)
row "$failing"
keys ctrl+t
stop

for as in en:light: en:dark:-dark zh-TW:light:-zh-TW zh-TW:dark:-zh-TW-dark; do
	suffix=${as##*:} as=${as%:*}
	start "${as%:*}" "${as#*:}"
	row "$failing"
	shot inbox
	keys alt+5
	shot deliveries
	row 'pull_request.opened'
	keys alt+4
	shot signature
	keys ctrl+3 Down Down Down Down
	shot providers
	row "$failing"
	keys alt+1 shift+Down shift+Down shift+Down shift+Down
	keys ctrl+shift+o
	keys alt+Down
	shot reorder
	keys Escape
	keys ctrl+u
	shot tunnel
	keys Escape
	keys ctrl+2
	xdotool mousemove --window "$window" 150 294 sleep 0.15 click 1 sleep 0.15 mousemove 50 600 # the last of the endpoints
	shot endpoints
	keys ctrl+4
	shot settings
	stop
	if grep -E 'panic|Error in Fyne call thread' "$dir/window.log"; then exit 1; fi
done
echo "pictures in $out and $more"
