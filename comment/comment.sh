# Writes a report into one comment of a pull request, and updates that comment in later runs.
#
# REPORT is a Markdown file, empty if there is nothing to say; TOKEN is that of the job. What cannot
# be written is said and fails nothing. The number of the pull request comes from the event, and never
# from the report, which may be of a stranger.
set -euo pipefail
marker='<!-- sitemapkit -->'
repository="$GITHUB_API_URL/repos/$GITHUB_REPOSITORY"
answer=$(mktemp)

stop() { # why
  echo "::notice title=sitemapkit::No comment was written: $1. The job summary has the report."
  exit
}

ask() { # arguments of curl; the answer must be a success
  local code
  code=$(curl --silent --show-error --output "$answer" --write-out '%{http_code}' \
    --header "Accept: application/vnd.github+json" --header @- "$@" <<< "Authorization: Bearer $TOKEN") || true
  case $code in
    2*) ;;
    401 | 403 | 404) stop "this job has no right to (HTTP $code), as for a pull request of a fork" ;;
    *) stop "the server answered HTTP $code" ;;
  esac
}

event() { # filter of jq
  jq --raw-output "$1 // empty" "$GITHUB_EVENT_PATH"
}

number=$(event .pull_request.number)
if [ -z "$number" ] && commit=$(event .workflow_run.head_sha) && [ -n "$commit" ]; then
  head=$(event '.workflow_run | "\(.head_repository.owner.login):\(.head_branch)" | @uri')
  ask "$repository/pulls?state=open&head=$head"
  number=$(jq --arg commit "$commit" '[.[] | select(.head.sha == $commit)][0].number // empty' "$answer")
fi
if [ -z "$number" ]; then stop "this is no job of an open pull request"; fi
if [ ! -f "$REPORT" ] || [ -L "$REPORT" ]; then stop "there is no file ${REPORT##*/}"; fi

comment=
for page in 1 2 3 4 5 6 7 8 9 10; do
  ask "$repository/issues/$number/comments?per_page=100&page=$page"
  comment=$(jq --arg marker "$marker" \
    '[.[] | select((.body | startswith($marker)) and (.user.type // "Bot") == "Bot")][0].id // empty' "$answer")
  if [ -n "$comment" ] || [ "$(jq length "$answer")" -lt 100 ]; then break; fi
done
if [ ! -s "$REPORT" ] && [ -z "$comment" ]; then exit; fi
# Nobody is called by their name, whoever wrote the report: a sign of no width follows each @, also where it is
# written as an entity, which the service decodes first.
at='@|&#0*64;?|&#[xX]0*40;?|&commat;?'
body='.[:60000] | if . == "" then "Nothing changes in the site.\n" else . end | gsub("'"$at"'"; "@\u200b")'
jq --raw-input --slurp --arg marker "$marker" "$body"' | {body: "\($marker)\n\(.)"}' "$REPORT" > "$answer.body"
if [ -n "$comment" ]; then
  ask --request PATCH --data-binary "@$answer.body" "$repository/issues/comments/$comment"
else
  ask --data-binary "@$answer.body" "$repository/issues/$number/comments"
fi
