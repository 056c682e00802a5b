#!/usr/bin/env bash
# Sends an instruction, waits until the job is done, and prints the pull request. Needs curl and jq.
#
#   PAGEWRIGHT_URL=https://pagewright.example.com PAGEWRIGHT_PROJECT=prj_… PAGEWRIGHT_KEY=pagewright_… \
#     ./send-and-wait.sh "Document the new rate limit of 100 requests a minute."
set -euo pipefail

prompt=${1:?usage: send-and-wait.sh PROMPT}
jobs="$PAGEWRIGHT_URL/v2/agent/$PAGEWRIGHT_PROJECT/job"
# The same for each try: a request whose answer was lost makes no second job.
key=${IDEMPOTENCY_KEY:-$(od -An -tx1 -N16 /dev/urandom | tr -d ' \n')}

answer_file=$(mktemp)
trap 'rm -f "$answer_file"' EXIT

# Repeats what may succeed later: lost connections, and the answers 408, 429 and 5xx. Prints why any other answer is a refusal.
# The API key comes from a file descriptor, so that it is not in the list of processes.
request() {
  local status
  status=$(curl --silent --show-error --retry 8 --retry-all-errors --retry-max-time 300 \
    --output "$answer_file" --write-out '%{http_code}' \
    --header @<(printf 'Authorization: Bearer %s\n' "$PAGEWRIGHT_KEY") "$@")
  [[ $status == 2?? ]] || { jq --raw-output '.detail // .' "$answer_file" >&2; return 1; }
  cat "$answer_file"
}

job=$(jq --null-input --arg prompt "$prompt" '{prompt: $prompt}' |
  request "$jobs" --header 'Content-Type: application/json' --header "Idempotency-Key: $key" --data-binary @- |
  jq --raw-output .id)
echo "job $job" >&2

while answer=$(request "$jobs/$job") && [ "$(jq --raw-output .status <<<"$answer")" = active ]; do
  sleep "${PAGEWRIGHT_POLL_SECONDS:-5}"
done

jq --raw-output '.prLink // "no pull request"' <<<"$answer"
if [ "$(jq --raw-output .status <<<"$answer")" != completed ]; then
  request "$jobs/$job/runs" | jq --raw-output '.runs[0].sentence' >&2
  exit 1
fi
