const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The time that one fetch may take. */
export const fetchTimeoutMs = 15 * minute;

/** In milliseconds. Tests pass shorter times to `startService`. */
export const realTiming = {
  lease: {
    /** Five missed renewals fit in. */
    durationMs: 12 * second,
    renewEveryMs: 2 * second,
  },
  claims: {
    /** Finds jobs that become due later, or whose wake-up was lost. */
    lookEveryMs: second,
    brokenRetryMs: 5 * second,
    /** With the next look, a job starts at most two seconds after its turn. */
    yieldForMs: second,
    presentEveryMs: second,
    absentAfterMs: 3 * second,
    /** A slower answer of the database counts as an outage. */
    promptAnswerMs: 2 * second,
    /** Lease holders retry every second: they can renew before others take over. */
    afterOutageMs: 5 * second,
  },
  /** All within the 30 s of a stop. */
  shutdown: {
    /** For the model's answer, which costs money. */
    answerGraceMs: 15 * second,
    /** After the grace, to store how the runs ended. */
    storeEndMs: 3 * second,
    lastTryMs: 5 * second,
    queueDrainMs: 5 * second,
  },
  runs: {
    longestWaitMs: 24 * hour,
  },
  context: {
    /** How long a repository is read on the word of its settings, before they are asked for again. */
    consentHoldsMs: 10 * second,
  },
  writes: {
    /** https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#pause-between-mutative-requests */
    everyMs: second,
    /** A waiting write keeps a worker from other work. */
    patienceMs: 30 * second,
    /** Other entries need the slot. */
    queuePatienceMs: second,
  },
  github: {
    /** The last try may take 30 s, so a caller waits for a minute at most. */
    tryWithinMs: 30 * second,
    retryDelaysMs: [second, 3 * second],
    settleDelaysMs: [second, 2 * second, 4 * second, 8 * second],
    replicationDelaysMs: [500, 1_500, 3 * second],
    readyDelaysMs: [second, 2 * second, 4 * second, 8 * second],
    clockSkewMs: 5 * minute,
  },
  deliveries: {
    /** A comment waits in the queue for older comments. */
    olderCommentMs: 2 * second,
    lookForOlderEveryMs: 200,
    /** After this the later comment leaves its slot in the queue, and looks for older ones a sixtieth of its age later. */
    youngCommentMs: 30 * second,
    /** At most this much later. */
    commentRetryMs: 10 * second,
    /** A review may precede its comments: https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request_review */
    reviewMs: 3 * second,
    /** A review's delivery brings all its comments at once. */
    remarkMs: 6 * second,
  },
  checks: {
    /** Many checks end at once: GitHub is asked after the first of them. */
    settleMs: 2 * second,
    /** After the first failure, for checks that have not finished. */
    patienceMs: 10 * minute,
    /** While a check that fails is under way on the base: no webhook about it concerns a job. */
    askBaseMs: minute,
    /** Webhooks may be lost. Doubled each time. */
    askAgainMs: 15 * minute,
    longestMs: 24 * hour,
    /** The first fetch of a large repository ends before. */
    entryTimeoutMs: fetchTimeoutMs + 5 * minute,
    /** After so long, what cannot be read is not checked. */
    triesMs: hour,
  },
  /** A round ends before the next begins. */
  reconcile: {
    roundMs: 4.5 * minute,
  },
  events: {
    /** A lost notification delays events by this. */
    lookEveryMs: 2 * second,
    retryMs: second,
    heartbeatEveryMs: 15 * second,
    slowReaderMs: 10 * second,
    reconnectMs: 2 * second,
  },
  outbound: {
    postMs: 10 * second,
    /** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#deliverability-and-reliability */
    retryDelaysMs: [5 * second, minute, 10 * minute, hour, 4 * hour, 12 * hour, 24 * hour, 24 * hour],
    /** A process that dies with a delivery leaves it for so long: longer than a POST and its record. */
    claimMs: 20 * second,
    /** Finds deliveries whose wake-up was lost. */
    lookEveryMs: 5 * second,
    switchOffAfterMs: 5 * 24 * hour,
    previousSecretMs: 24 * hour,
    resolveWithinMs: 2 * second,
  },
  queue: {
    /** Short despite LISTEN/NOTIFY: after each fetch a pg-boss worker sleeps for a whole interval. */
    pollEveryMs: second,
    schedulePollEveryMs: 2 * second,
    /** Ends before pg-boss gives the entry to another worker. */
    entryTimeoutMs: 45 * second,
    /** GitHub keeps deliveries for redelivery for three days. */
    entryLifetimeMs: 3 * 24 * hour,
    /** pg-boss starts the work again after 15 minutes. */
    scheduledTimeoutMs: 10 * minute,
  },
  model: {
    /** Between two events of a stream. */
    idleTimeoutMs: 2 * minute,
    requestTimeoutMs: 10 * minute,
    backoffMs: second,
    /** A longer wait would occupy the worker's slot. */
    longestWaitMs: minute,
    longestTryingMs: 5 * minute,
  },
  health: {
    everyMs: 5 * minute,
    checkWithinMs: 20 * second,
  },
  sessions: {
    idleMs: 8 * hour,
    longestMs: 7 * 24 * hour,
    touchEveryMs: minute,
    askGitHubMs: 10 * second,
  },
  http: {
    /** Callers get their 503 within two seconds. */
    queryMs: 1_500,
    /** GitHub waits 10 s for an answer: https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks */
    bodyMs: 10 * second,
    largeBodyWaitMs: 5 * second,
    largeBodyWindowMs: 250,
    headersMs: 10 * second,
    requestMs: 30 * second,
    /** Without a byte in either direction. */
    silentConnectionMs: 2 * minute,
    /** From the end of an answer until the client has taken all of it. */
    unreadAnswerMs: 30 * second,
    installedPageMs: 10 * second,
    /** How long `/setup` shows the findings of the doctor: its check of the model may cost tokens. */
    examinedMs: 20 * second,
    githubMs: 10 * second,
  },
  /** A request whose Idempotency-Key another request uses. */
  idempotency: {
    waitMs: 10 * second,
    /** Doubled each time. */
    firstRetryMs: 20,
    longestRetryMs: 320,
  },
  git: {
    commandTimeoutMs: minute,
    readTimeoutMs: 10 * minute,
    searchTimeoutMs: 10 * second,
    leastPauseMs: minute,
    longestPauseMs: 24 * hour,
  },
  threads: {
    /** For the code of a thread, also on a machine that is too busy. */
    loadMs: minute,
    /** On a processor, so that a busy machine does not take it away: the largest inputs take a tenth of it. */
    taskTimeoutMs: 5 * second,
    idleMs: 10 * second,
    /** On a processor, too: a site of 1,500 pages takes a quarter of it. */
    sessionRequestMs: 10 * second,
    /** On the clock, a task or a request with what it needs of git. */
    longestRequestMs: 2 * minute,
    /** A model thinks between two requests of a run. */
    sessionIdleMs: 2 * minute,
  },
  database: {
    answerWithinMs: 2 * second,
    tryWithinMs: 5 * second,
    heartbeatEveryMs: 10 * second,
  },
  embeddedDatabase: {
    startWithinMs: minute,
    stuckAfterMs: 20 * second,
  },
};

export type Timing = typeof realTiming;
