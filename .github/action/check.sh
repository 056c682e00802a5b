#!/usr/bin/env bash
# The step of action.yml: brings the base and checks. Everything arrives in the environment.
set -euo pipefail
export GIT_TERMINAL_PROMPT=0

# A checkout with `persist-credentials: false` keeps no token. A second header beside a kept one would be refused.
bring() {
  git fetch --quiet --no-tags "$@" 2>/dev/null && return
  local header
  header="AUTHORIZATION: basic $(printf 'x-access-token:%s' "$TOKEN" | base64 | tr -d '\n')"
  GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.$GITHUB_SERVER_URL/.extraheader" GIT_CONFIG_VALUE_0="$header" \
    git fetch --quiet --no-tags "$@"
}

find_merge_base() {
  git merge-base "$1" "$2" 2>/dev/null && return
  if [[ $(git rev-parse --is-shallow-repository) == true ]]; then bring --unshallow origin; fi
  git merge-base "$1" "$2" || echo "$1"
}

is_exact=
parents=$(git cat-file commit HEAD | sed -n '/^$/q; s/^parent //p')
if [[ -z $BASE && -z $HEAD && -n $PULL_HEAD && $parents == *$'\n'"$PULL_HEAD" ]]; then
  # The base in a pull request's merge commit. The event may name an older one, and show what others have merged since.
  BASE=${parents%%$'\n'*}
  is_exact=true
elif [[ -z $BASE ]]; then
  # The commit before a new branch is all zeros.
  [[ $EVENT_BASE =~ ^0+$ ]] || BASE=$EVENT_BASE
  [[ -n $PULL_HEAD ]] || is_exact=true
fi
if [[ -z $BASE && -n $HEAD ]]; then
  echo '::error::head needs base'
  exit 2
fi
arguments=(--repo . --format github --fail-on "$FAIL_ON")
if [[ -n $BASE ]]; then
  # A checkout has only its newest commit unless it says otherwise.
  for commit in "$BASE" ${HEAD:+"$HEAD"}; do
    git cat-file -e "$commit^{commit}" 2>/dev/null || bring --depth=1 origin "$commit"
  done
  [[ $is_exact ]] || BASE=$(find_merge_base "$BASE" "${HEAD:-HEAD}")
  arguments+=("$BASE" "${HEAD:-.}")
fi

status=0
check() {
  if [[ $ANNOTATIONS == false ]]; then "$PAGEWRIGHT" "$@" >/dev/null; else "$PAGEWRIGHT" "$@"; fi || status=$?
}
settings=.github/pagewright.yml
if [[ -f $settings ]]; then check check-settings --format github "$settings"; fi
[[ $FAIL_ON != never ]] || status=0
check check-docs "${arguments[@]}"
exit "$status"
