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

# The API key comes from a file descriptor, so that it is not in the list of processes.
request() {
  curl --silent --show-error --fail-with-body --retry 8 --retry-all-errors --retry-max-time 300 \
    --header @<(printf 'Authorization: Bearer %s\n' "$PAGEWRIGHT_KEY") "$@"
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
