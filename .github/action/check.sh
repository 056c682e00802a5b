#!/usr/bin/env bash
# The step of action.yml: brings the base and checks. Everything arrives in the environment.
set -euo pipefail

arguments=(--repo . --format github --fail-on "$FAIL_ON")
# The commit before a new branch is all zeros.
if [[ -n $BASE && ! $BASE =~ ^0+$ ]]; then
  # A checkout has only its newest commit unless it says otherwise.
  git cat-file -e "$BASE^{commit}" 2>/dev/null || git fetch --quiet --no-tags --depth=1 origin "$BASE"
  # Without common history, as after that, the base itself is compared: the merge commit of a pull request contains it.
  arguments+=("$(git merge-base "$BASE" "${HEAD:-HEAD}" 2>/dev/null || echo "$BASE")" "${HEAD:-.}")
elif [[ -n $HEAD ]]; then
  echo "::error::head needs base"
  exit 2
fi
if [[ $ANNOTATIONS == false ]]; then
  exec "$PAGEWRIGHT" check-docs "${arguments[@]}" >/dev/null
fi
exec "$PAGEWRIGHT" check-docs "${arguments[@]}"
