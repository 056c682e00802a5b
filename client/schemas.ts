// Made from the description of the API by test/client/schemas.edge.test.ts.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        CreateJob: {
            /**
             * @description The instruction, in plain words. Its length is counted in Unicode code points, after trimming.
             * @example Document the new rate limit of 100 requests a minute on the errors page.
             */
            prompt: string;
            /**
             * @description The branch to start from, also as `refs/heads/…`, and the target of the pull request. Default: `base` in the repository’s settings, otherwise the default branch.
             * @example main
             */
            ref?: string;
            /**
             * @description The model to use, `OPENAI_MODEL` or one of `OPENAI_MODELS`. Default: `model` in the repository’s settings, otherwise `OPENAI_MODEL`.
             * @example your-model
             */
            model?: string;
            /**
             * @description Whether to open the pull request as a draft. Default: `draft` in the repository’s settings, otherwise `false`.
             * @example false
             */
            draft?: boolean;
            /** @description Images that belong to the instruction, at most 5 of 4 MiB. Only if the operator has set `OPENAI_IMAGES=true`. */
            images?: {
                /**
                 * @description The format of the image. Its first bytes must agree.
                 * @enum {string}
                 */
                mediaType: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
                /** @description The image in base64, at most 4 MiB without it. */
                data: string;
            }[];
        };
        AddMessage: {
            /**
             * @description The instruction, in plain words. Its length is counted in Unicode code points, after trimming.
             * @example Document the new rate limit of 100 requests a minute on the errors page.
             */
            prompt: string;
            /** @description Images that belong to the instruction, at most 5 of 4 MiB. Only if the operator has set `OPENAI_IMAGES=true`. */
            images?: {
                /**
                 * @description The format of the image. Its first bytes must agree.
                 * @enum {string}
                 */
                mediaType: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
                /** @description The image in base64, at most 4 MiB without it. */
                data: string;
            }[];
        };
        RunAutomation: {
            /**
             * @description A pull request of this repository, or of a context repository: it is documented whatever it changed. Default: what waits, or the prompt alone.
             * @example acme/api#12
             */
            pullRequest?: string;
        };
        CreateWebhook: {
            /**
             * Format: uri
             * @description Where to send POSTs: https, on port 443, or 1024 and above, at a public address, without credentials or a fragment.
             * @example https://hooks.example.com/pagewright
             */
            url: string;
            /** @description What to send. Default: all but `automation.unchanged`. */
            events?: ("job.completed" | "job.failed" | "job.archived" | "message.answered" | "automation.unchanged")[];
        };
        Job: {
            /** @example job_01jd2x8e4vf3r9c5w7k6t0mzqa */
            id: string;
            /**
             * @example completed
             * @enum {string}
             */
            status: "active" | "completed" | "failed" | "archived";
            source: {
                /**
                 * Format: uri
                 * @example https://github.com/acme/docs
                 */
                repository: string;
                /**
                 * @description The base branch, or the job’s own branch once it exists.
                 * @example pagewright/the-api-limit-is-100-requests-k6t0mzqa
                 */
                ref: string;
            };
            /** @example your-model */
            model: string;
            /**
             * @description The URL of the pull request. `null` while the job is active, and if there is no pull request.
             * @example https://github.com/acme/docs/pull/7
             */
            prLink: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T20:06:00.000Z
             */
            createdAt: string;
            /** @example null */
            archivedAt: string | null;
        };
        Run: {
            /** @example run_01jd2x8f1kft8b0v9q3m5s7wye */
            id: string;
            /** @description Counts the runs of a job from 1. */
            number: number;
            /**
             * @example ended
             * @enum {string}
             */
            status: "working" | "publishing" | "ended";
            /** @description `null` until the run has ended. */
            outcome: ("completed" | "failed") | null;
            /**
             * @description How the run ended, for programs.
             * @example published
             */
            code: string | null;
            /**
             * @description How the run ended, for people.
             * @example The change is in the pull request.
             */
            sentence: string | null;
            /**
             * @description The agent’s summary of its changes, or why it made none.
             * @example The errors page says 100 requests.
             */
            summary: string | null;
            /**
             * @description Why the run waits now, for people. Pagewright tries it again by itself. `null`: it does not wait.
             * @example null
             */
            waitsFor: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T20:06:00.000Z
             */
            startedAt: string;
            finishedAt: string | null;
            turns: number;
            tokensIn: number;
            tokensOut: number;
            /** @description The part of `tokensIn` that the model’s provider had cached. */
            tokensCached: number;
            /**
             * @description The SHA of the published commit.
             * @example 6dcb09b5b57875f334f61aebed695e2e4193db5e
             */
            commit: string | null;
            /** @description The messages that the run received, in order. */
            messages: components["schemas"]["Message"][];
            /** @description The run’s writes to GitHub, in order. */
            effects: components["schemas"]["Effect"][];
            /** @description The result of the checks of the documentation. `null` if the run published nothing. */
            checks: components["schemas"]["Checks"] | null;
            /** @description What the published change rests on: places that existed at the commit that the run read. */
            evidence: components["schemas"]["Evidence"][];
            /** @description Problems that did not fail the run, and what to do about them, for people. */
            warnings: string[];
        };
        Message: {
            /** @example msg_01jd2x8e5dfr6a2t4n7p9c1xzb */
            id: string;
            /** @enum {string} */
            source: "api" | "dashboard" | "comment" | "review" | "automation" | "issue" | "checks";
            /**
             * @description A GitHub login, the name of an API key or automation, or who ran `pagewright jobs`.
             * @example ci
             */
            author: string;
            /** @example Document the new rate limit. */
            prompt: string;
            /**
             * @example answered
             * @enum {string}
             */
            state: "waiting" | "taken" | "answered" | "dropped";
            /**
             * @description Why the message was dropped.
             * @example null
             */
            reason: string | null;
            /**
             * @description The webhook delivery of the message. `null` for messages from the API.
             * @example null
             */
            deliveryId: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T20:06:00.000Z
             */
            createdAt: string;
        };
        Effect: {
            /**
             * @description Unique within the job.
             * @example run_01jd2x8e4vf3r9c5w7k6t0mzqa:push
             */
            key: string;
            /**
             * @description `push`, `branch`, `draft`, `pull-request`, `labels`, `reviewers`, `reviewer`, `authors`, `comment`, `reply`, `reaction`, `deletion`, `preview`, `retarget` or `close`.
             * @example push
             */
            kind: string;
            /** @enum {string} */
            state: "intended" | "done" | "refused";
            /** @description Why GitHub refused it. */
            refusal: string | null;
            /** @description Who requested it, oldest first. */
            askedBy: {
                /** @description `null` if the comment or review did not become a message of the job. */
                messageId: string | null;
                author: string;
                /** @enum {string} */
                source: "api" | "dashboard" | "comment" | "review" | "automation" | "issue" | "checks";
                /** @description The webhook delivery of the comment or review. */
                deliveryId: string | null;
            }[];
            /** @description The epoch of the lease. `0` if it was done without a lease. */
            leaseEpoch: number;
            /** @description The number of attempts, by all processes. */
            tries: number;
            /** @description GitHub’s id of the result. */
            externalId: string | null;
            /** @description The relevant part of the request to GitHub. */
            request: unknown;
            /** @description The relevant part of GitHub’s response. */
            response: unknown;
            /**
             * Format: date-time
             * @example 2026-11-20T20:06:00.000Z
             */
            intendedAt: string;
            doneAt: string | null;
        };
        Checks: {
            /** @description `false`: they took too long or failed, and nothing was checked. */
            ran: boolean;
            /** @description Links of the whole documentation. */
            links: number;
            /** @description Pages that the change touched, whose syntax was parsed. */
            pages: number;
            /** @description Pages that the change touched, and that were not parsed for lack of time. */
            unparsed: number;
            /** @description Whether entries of a navigation were read and checked. */
            navigation: boolean;
            /**
             * @description What the checks left alone and why, for people; at most 10 sentences.
             * @example [
             *       "Links are not judged: 21 of 48 are broken already."
             *     ]
             */
            notChecked: string[];
            /** @description New problems that were not fixed; at most 50. */
            problems: {
                file: string;
                line: number;
                /** @example link */
                kind: string;
                /** @enum {string} */
                severity: "must" | "should";
                message: string;
                /** @description The target of the link or entry. */
                target: string;
                /**
                 * @description Why the agent left it, in its words.
                 * @example null
                 */
                explanation: string | null;
            }[];
            /** @description Problems beyond those. */
            more: number;
        };
        Evidence: {
            /**
             * @description The page that makes the claim.
             * @example docs/limits.md
             */
            page: string;
            /** @example The limit is 100 requests per minute. */
            claim: string;
            /** @example acme/api */
            repository: string;
            /** @example src/limit.ts */
            path: string;
            /**
             * @description A line or a range. `null`: the whole file.
             * @example 12-20
             */
            lines: string | null;
            /**
             * @description The commit that the run read.
             * @example 6dcb09b5b57875f334f61aebed695e2e4193db5e
             */
            commit: string;
            /** @description The permanent address of the place on GitHub. */
            url: string;
            /** @description `false`: the pull request leaves it out, because not all of its readers may open the repository. */
            isShown: boolean;
        };
        Problem: {
            /**
             * @description A stable identifier, for programs.
             * @example urn:pagewright:problem:invalid-request
             */
            type: string;
            /** @example Invalid request */
            title: string;
            /** @example 400 */
            status: number;
            /** @example Invalid request: prompt is required. */
            detail: string;
            /**
             * @description The request id, which is also in the `x-request-id` header and in the service’s log.
             * @example urn:uuid:0b0f2a4e-9f57-4d0a-8a51-6d1c9f4e7b1a
             */
            instance: string;
            /** @description Same as `detail`. */
            error: string;
            /** @description Each invalid field or parameter. */
            errors?: {
                /**
                 * @description A JSON Pointer into the body.
                 * @example #/prompt
                 */
                pointer?: string;
                /**
                 * @description A parameter of the query.
                 * @example limit
                 */
                parameter?: string;
                detail: string;
            }[];
        } & {
            [key: string]: unknown;
        };
        ListedMessage: {
            /** @example msg_01jd2x8e5dfr6a2t4n7p9c1xzb */
            id: string;
            /**
             * @example answered
             * @enum {string}
             */
            state: "waiting" | "taken" | "answered" | "dropped";
            /** @enum {string} */
            source: "api" | "dashboard" | "comment" | "review" | "automation" | "issue" | "checks";
            /**
             * @description A GitHub login, the name of an API key or automation, or who ran `pagewright jobs`.
             * @example ci
             */
            author: string;
            /** @example Document the new rate limit. */
            text: string;
            /**
             * Format: date-time
             * @example 2026-11-20T20:06:00.000Z
             */
            createdAt: string;
            /**
             * @description The run that took the message.
             * @example run_01jd2x8f1kft8b0v9q3m5s7wye
             */
            runId: string | null;
            /**
             * @description The answer of the run, or why the run failed. `null` until there is an answer.
             * @example The errors page says 100 requests a minute now.
             */
            answer: string | null;
        };
        Runs: {
            /** @description Newest first. */
            runs: components["schemas"]["Run"][];
            /** @description Messages for the next turn of the live run, or for the next run. On the first page only. */
            waiting: components["schemas"]["Message"][];
            /** @description Messages that were dropped before a run received them, the newest hundred. On the first page only. */
            dropped: components["schemas"]["Message"][];
            /** @description Writes to GitHub outside of runs, the newest hundred, in order. On the first page only. */
            effects: components["schemas"]["Effect"][];
            /**
             * @description The `cursor` of the next page. `null`: these are the last items.
             * @example null
             */
            nextCursor: string | null;
        };
        Turn: {
            /**
             * @description The text of the model. `null` until it has answered.
             * @example I read the page.
             */
            text: string | null;
            calls: {
                /** @example read_file */
                name: string;
                /**
                 * @description The model’s JSON, as text.
                 * @example {"path": "index.md"}
                 */
                arguments: string;
                /**
                 * @description The result of the tool. `null` until there is one.
                 * @example # Acme
                 */
                result: string | null;
                /** @description Whether the call failed. */
                isError: boolean;
            }[];
            tokensIn: number;
            /** @description The part of `tokensIn` that the model’s provider had cached. */
            tokensCached: number;
            tokensOut: number;
            /** @description The duration of the request and its calls. `null` until the turn has ended. */
            durationMs: number | null;
        };
        Events: {
            /** @description Oldest first. */
            events: components["schemas"]["Event"][];
            /**
             * @description Pass it as `after` to get the next events.
             * @example 4
             */
            next: number;
        };
        /**
         * @description The form of `data` depends on `type`. New types and members may be added.
         * @example {
         *       "seq": 4,
         *       "type": "turn.answered",
         *       "at": "2026-11-20T20:06:07.412Z",
         *       "data": {
         *         "runId": "run_01jd2x8f1kft8b0v9q3m5s7wye",
         *         "turn": 0,
         *         "text": "I correct the limit.",
         *         "tools": [
         *           "edit_file"
         *         ],
         *         "tokensIn": 2379,
         *         "tokensCached": 0,
         *         "tokensOut": 38
         *       }
         *     }
         */
        Event: components["schemas"]["JobCreatedEvent"] | components["schemas"]["MessageAcceptedEvent"] | components["schemas"]["AutomationStartedEvent"] | components["schemas"]["RunStartedEvent"] | components["schemas"]["RunWaitingEvent"] | components["schemas"]["TurnAnsweredEvent"] | components["schemas"]["ToolFinishedEvent"] | components["schemas"]["FileChangedEvent"] | components["schemas"]["CheckProblemEvent"] | components["schemas"]["RunEndedEvent"] | components["schemas"]["PullRequestOpenedEvent"] | components["schemas"]["PullRequestUpdatedEvent"] | components["schemas"]["JobCompletedEvent"] | components["schemas"]["JobFailedEvent"] | components["schemas"]["JobArchivedEvent"] | components["schemas"]["JobUnarchivedEvent"];
        /** @description A request was accepted. Always the first event. */
        JobCreatedEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "job.created";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: {
                /** @example main */
                ref: string;
                model: string;
                draft: boolean;
            };
        };
        /** @description An instruction was accepted. */
        MessageAcceptedEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "message.accepted";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: {
                /** @example msg_01jd2x8e5dfr6a2t4n7p9c1xzb */
                messageId: string;
                /**
                 * @description `api`, `comment`, `review`, `dashboard`, `automation`, `issue` or `checks`.
                 * @example api
                 */
                source: string;
                /**
                 * @description A GitHub login, the name of an API key or automation, or who ran `pagewright jobs`.
                 * @example ci
                 */
                author: string;
                /** @example Document the new rate limit. */
                text: string;
            };
        };
        /** @description An automation sent the message before. */
        AutomationStartedEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "automation.started";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: {
                /** @example msg_01jd2x8e5dfr6a2t4n7p9c1xzb */
                messageId: string;
                /** @example api-reference */
                name: string;
                /**
                 * @description What triggered it.
                 * @example [
                 *       "acme/api#12"
                 *     ]
                 */
                occasions: string[];
            };
        };
        /** @description A run began. */
        RunStartedEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "run.started";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: {
                /** @example run_01jd2x8f1kft8b0v9q3m5s7wye */
                runId: string;
                /** @description Counts the runs of the job from 1. */
                number: number;
            };
        };
        /** @description A run waits for its next try. The same reason is not repeated. */
        RunWaitingEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "run.waiting";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: {
                /** @example run_01jd2x8f1kft8b0v9q3m5s7wye */
                runId: string;
                /** @example GitHub does not answer */
                reason: string;
            };
        };
        /** @description The model answered. */
        TurnAnsweredEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "turn.answered";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: {
                /** @example run_01jd2x8f1kft8b0v9q3m5s7wye */
                runId: string;
                /**
                 * @description Counts the turns of the run from 0.
                 * @example 3
                 */
                turn: number;
                text: string;
                tokensIn: number;
                tokensCached: number;
                tokensOut: number;
                /** @description The names of the tools that it calls. */
                tools: string[];
            };
        };
        /** @description A tool call ended. */
        ToolFinishedEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "tool.finished";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: {
                /** @example run_01jd2x8f1kft8b0v9q3m5s7wye */
                runId: string;
                /**
                 * @description Counts the turns of the run from 0.
                 * @example 3
                 */
                turn: number;
                /** @example edit_file */
                name: string;
                /** @description The model’s JSON, as text. */
                arguments: string;
                result: string;
                isError: boolean;
            };
        };
        /** @description A file changed. Lines are counted so far, against the base; `null`: not counted. */
        FileChangedEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "file.changed";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: {
                /** @example run_01jd2x8f1kft8b0v9q3m5s7wye */
                runId: string;
                /** @example docs/limits.md */
                path: string;
                additions: number | null;
                deletions: number | null;
            };
        };
        /** @description A check of the documentation found a problem. */
        CheckProblemEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "check.problem";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: {
                /** @example run_01jd2x8f1kft8b0v9q3m5s7wye */
                runId: string;
                file: string;
                line: number;
                /** @example link */
                kind: string;
                /** @enum {string} */
                severity: "must" | "should";
                message: string;
                /** @description `true`: the agent was asked to fix it. `false`: it is published. */
                sentBack: boolean;
            };
        };
        /** @description A run ended. */
        RunEndedEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "run.ended";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: {
                /** @example run_01jd2x8f1kft8b0v9q3m5s7wye */
                runId: string;
                number: number;
                /** @enum {string} */
                outcome: "completed" | "failed";
                /**
                 * @description How the run ended, for programs.
                 * @example published
                 */
                code: string;
                /** @description How the run ended, for people. */
                sentence: string;
                /**
                 * @description What the agent says about its changes, or its answer.
                 * @example The limit is 100.
                 */
                summary: string | null;
                /** @description The SHA of the published commit. */
                commit: string | null;
                tokensIn: number;
                tokensCached: number;
                tokensOut: number;
            };
        };
        /** @description The pull request was opened. */
        PullRequestOpenedEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "pull_request.opened";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: {
                /** @example run_01jd2x8f1kft8b0v9q3m5s7wye */
                runId: string;
                /** @example 7 */
                number: number;
                /** @example https://github.com/acme/docs/pull/7 */
                url: string;
                /** @example Document the new rate limit */
                title: string;
            };
        };
        /** @description A run updated the pull request. */
        PullRequestUpdatedEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "pull_request.updated";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: {
                /** @example run_01jd2x8f1kft8b0v9q3m5s7wye */
                runId: string;
                /** @example 7 */
                number: number;
                /** @example https://github.com/acme/docs/pull/7 */
                url: string;
                /** @example Document the new rate limit */
                title: string;
            };
        };
        /** @description The job is completed. */
        JobCompletedEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "job.completed";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: {
                /** @example run_01jd2x8f1kft8b0v9q3m5s7wye */
                runId: string;
            };
        };
        /** @description The job failed. */
        JobFailedEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "job.failed";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: {
                /** @example run_01jd2x8f1kft8b0v9q3m5s7wye */
                runId: string;
                /**
                 * @description How the run ended, for programs.
                 * @example published
                 */
                code: string;
                /** @description How the run ended, for people. */
                sentence: string;
            };
        };
        /** @description The job was archived. */
        JobArchivedEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "job.archived";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: {
                /**
                 * @description `requested`, `merged`, `closed` or `repository_gone`.
                 * @example merged
                 */
                reason: string;
            };
        };
        /** @description The job was unarchived. */
        JobUnarchivedEvent: {
            /**
             * @description Counts the events of a job from 1, without gaps.
             * @example 7
             */
            seq: number;
            /** @constant */
            type: "job.unarchived";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            at: string;
            data: Record<string, never>;
        };
        Diff: {
            files: components["schemas"]["FileDiff"][];
            /**
             * @description Whether patches or files are left out.
             * @example false
             */
            truncated: boolean;
        };
        FileDiff: {
            /** @example docs/limits.md */
            path: string;
            /**
             * @description `null` unless the file was renamed.
             * @example null
             */
            previousPath: string | null;
            /** @enum {string} */
            status: "added" | "removed" | "modified" | "renamed" | "copied" | "changed" | "unchanged";
            additions: number;
            deletions: number;
            /**
             * @description The hunks. `null`: binary, without a change of content, or left out because it is long.
             * @example @@ -3 +3 @@
             *     -60 requests per minute.
             *     +100 requests per minute.
             */
            patch: string | null;
        };
        Automations: {
            automations: components["schemas"]["Automation"][];
        };
        Automation: {
            /** @example api-reference */
            name: string;
            /** @description What triggers it, as in the settings. */
            on: {
                /** @example acme/api */
                merged?: string;
                /**
                 * @example [
                 *       "src/routes/**"
                 *     ]
                 */
                paths?: string[];
                released?: string;
                schedule?: string;
                timezone?: string;
                label?: string;
                repository?: string;
            };
            /**
             * @description How long occasions are collected.
             * @enum {string}
             */
            every: "merge" | "hour" | "day" | "week";
            /** @example Bring the reference in line with these changes. */
            prompt: string;
            /**
             * @description `broken`: nothing can trigger it.
             * @enum {string}
             */
            state: "active" | "paused" | "broken";
            /**
             * @description Why it is broken, or why what waits has to wait longer, and what to do.
             * @example null
             */
            problem: string | null;
            /** @description Occasions that were not taken up yet. */
            waiting: number;
            /** @description `null`: nothing waits, or it is not active. */
            nextRunAt: string | null;
            lastRun: {
                /** @example job_01jd2x8e4vf3r9c5w7k6t0mzqa */
                jobId: string;
                /** @example run_01jd2x8f1kft8b0v9q3m5s7wye */
                runId: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T20:06:00.000Z
                 */
                at: string;
                /** @enum {string} */
                result: "published" | "unchanged" | "failed";
                /**
                 * @description What became of it; if it is `unchanged`, why nothing had to be documented.
                 * @example 2 changed files were published in the pull request.
                 */
                sentence: string;
            } | null;
            /** @description The newest occasions that were passed over, and why. */
            passedOver: {
                /** @example acme/api#12 */
                occasion: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T20:06:00.000Z
                 */
                at: string;
                /** @example It changed no file that `paths` names. */
                reason: string;
            }[];
        };
        Usage: {
            /**
             * Format: date
             * @example 2026-11-20
             */
            from: string;
            /**
             * Format: date
             * @example 2026-11-20
             */
            to: string;
            /** @description Days newest first; models and keys by their tokens, most first. Rows without usage are left out. */
            usage: components["schemas"]["UsageOfDay"][] | components["schemas"]["UsageOfModel"][] | components["schemas"]["UsageOfKey"][];
            total: components["schemas"]["UsageTotal"];
        };
        UsageOfDay: {
            /**
             * Format: date
             * @example 2026-11-20
             */
            day: string;
            /** @description Runs that ended, failed ones included. */
            runs: number;
            /** @description Requests to the model. */
            turns: number;
            /** @description Includes `tokensCached`. */
            tokensIn: number;
            tokensCached: number;
            tokensOut: number;
            /**
             * @description By `OPENAI_PRICES`. `null` if a model that was used has no price there.
             * @example 1.25
             */
            cost: number | null;
        };
        UsageOfModel: {
            model: string;
            /** @description Runs that ended, failed ones included. */
            runs: number;
            /** @description Requests to the model. */
            turns: number;
            /** @description Includes `tokensCached`. */
            tokensIn: number;
            tokensCached: number;
            tokensOut: number;
            /**
             * @description By `OPENAI_PRICES`. `null` if a model that was used has no price there.
             * @example 1.25
             */
            cost: number | null;
        };
        UsageOfKey: {
            /**
             * @description The id of the API key whose message opened the runs. `null`: another message did, such as a comment or one from the dashboard.
             * @example key_01jd2x7q1hexaatpv3g5d9smwn
             */
            key: string | null;
            /**
             * @description The name of the key.
             * @example ci
             */
            name: string | null;
            /** @description Runs that ended, failed ones included. */
            runs: number;
            /** @description Requests to the model. */
            turns: number;
            /** @description Includes `tokensCached`. */
            tokensIn: number;
            tokensCached: number;
            tokensOut: number;
            /**
             * @description By `OPENAI_PRICES`. `null` if a model that was used has no price there.
             * @example 1.25
             */
            cost: number | null;
        };
        UsageTotal: {
            /** @description Runs that ended, failed ones included. */
            runs: number;
            /** @description Requests to the model. */
            turns: number;
            /** @description Includes `tokensCached`. */
            tokensIn: number;
            tokensCached: number;
            tokensOut: number;
            /**
             * @description By `OPENAI_PRICES`. `null` if a model that was used has no price there.
             * @example 1.25
             */
            cost: number | null;
        };
        Project: {
            /** @example prj_01jd2x7q1hexaatpv3g5d9smwn */
            id: string;
            /**
             * @description Its address on GitHub.
             * @example https://github.com/acme/docs
             */
            repository: string;
            /** @example main */
            defaultBranch: string;
            /**
             * @description Mistakes in the settings of the repository.
             * @example []
             */
            problems: string[];
            /** @description The repositories that `context` in the settings names. */
            context: components["schemas"]["ContextRepository"][];
        };
        ContextRepository: {
            /**
             * @description As the settings name it.
             * @example acme/api
             */
            repository: string;
            /**
             * @description Its present name. `null`: it was never found.
             * @example acme/api
             */
            fullName: string | null;
            /**
             * @description The branch. `null`: the default branch.
             * @example null
             */
            ref: string | null;
            /**
             * @description `null`: all files.
             * @example [
             *       "src/**"
             *     ]
             */
            paths: string[] | null;
            /**
             * @description `ready`, or why it is not read: `itself`, `not_installed`, `suspended`, `permission_missing`, `settings_invalid`, `no_consent`, `not_public`, or `unknown` while GitHub does not answer.
             * @example ready
             */
            state: string;
            /**
             * @description What is missing and where, for people.
             * @example null
             */
            problem: string | null;
            checkedAt: string | null;
        };
        WebhookWithSecret: {
            /** @example whk_01jd2x8e4vf3r9c5w7k6t0mzqa */
            id: string;
            /**
             * Format: uri
             * @example https://hooks.example.com/pagewright
             */
            url: string;
            events: ("job.completed" | "job.failed" | "job.archived" | "message.answered" | "automation.unchanged")[];
            /** @enum {string} */
            state: "enabled" | "disabled";
            /**
             * @description Why it was disabled.
             * @example null
             */
            disabledReason: string | null;
            /**
             * @description The first failure since the last success. After five days the webhook is disabled.
             * @example null
             */
            failingSince: string | null;
            /**
             * @description Until then, the previous secret is valid, too.
             * @example null
             */
            previousSecretUntil: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T20:06:00.000Z
             */
            createdAt: string;
            /**
             * @description Shown only now.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
        };
        Webhook: {
            /** @example whk_01jd2x8e4vf3r9c5w7k6t0mzqa */
            id: string;
            /**
             * Format: uri
             * @example https://hooks.example.com/pagewright
             */
            url: string;
            events: ("job.completed" | "job.failed" | "job.archived" | "message.answered" | "automation.unchanged")[];
            /** @enum {string} */
            state: "enabled" | "disabled";
            /**
             * @description Why it was disabled.
             * @example null
             */
            disabledReason: string | null;
            /**
             * @description The first failure since the last success. After five days the webhook is disabled.
             * @example null
             */
            failingSince: string | null;
            /**
             * @description Until then, the previous secret is valid, too.
             * @example null
             */
            previousSecretUntil: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T20:06:00.000Z
             */
            createdAt: string;
        };
        WebhookDelivery: {
            /**
             * @description The `webhook-id` of every try.
             * @example whd_01jd2x8e4vf3r9c5w7k6t0mzqa
             */
            id: string;
            /** @enum {string} */
            type: "job.completed" | "job.failed" | "job.archived" | "message.answered" | "automation.unchanged" | "webhook.test";
            /**
             * @description `failed`: it is not tried again.
             * @enum {string}
             */
            state: "waiting" | "delivered" | "failed";
            /**
             * @description The HTTP status of the last answer. `null`: none yet.
             * @example 200
             */
            responseStatus: number | null;
            /**
             * @description The error of the last try.
             * @example null
             */
            error: string | null;
            /** @example 1 */
            tries: number;
            /** @description `null` for a test. */
            jobId: string | null;
            runId: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T20:06:00.000Z
             */
            createdAt: string;
            /** @description When the last try began. */
            triedAt: string | null;
            /**
             * @description Earlier deliveries of the job come first.
             * @example null
             */
            nextTryAt: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The request id, which is also in the service’s log. */
        "request-id": string;
        /** @description The quota, and the window in seconds ([draft](https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11)). */
        "ratelimit-policy": string;
        /** @description The remaining quota, and the seconds until it resets ([draft](https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11)). */
        ratelimit: string;
        /** @description The request repeats an earlier one with the same Idempotency-Key. Its answer has no rate limit headers. */
        "idempotency-replayed": "true";
        /** @description How to authenticate. */
        "www-authenticate": string;
        /** @description Seconds to wait before the next try. */
        "retry-after": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
