const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

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
    httpDrainMs: 5 * second,
    queueDrainMs: 5 * second,
    databaseCloseMs: 2 * second,
    abortedWorkMs: 3 * second,
  },
  runs: {
    firstFaultRetryMs: 5 * second,
    laterFaultRetryMs: 30 * second,
    githubOutageRetryMs: 30 * second,
    databaseRetryMs: second,
    /** A task takes 5 s at most. */
    busyThreadsRetryMs: 5 * second,
    /** Mostly a person makes room on a full disk, and each try may pay for an answer that cannot be stored. */
    noRoomRetryMs: minute,
    shortestModelRetryMs: minute,
    longestModelRetryMs: 15 * minute,
    longestModelOutageMs: hour,
    longestWaitMs: 24 * hour,
    /** A try takes 16 minutes at most. A larger gap after the due time means a late try. */
    longestTryMs: 20 * minute,
  },
  context: {
    /** How long a repository is read on the word of its settings, before they are asked for again. */
    consentHoldsMs: 10 * second,
    /** How long pages and the API show a state before they ask again. */
    shownForMs: minute,
  },
  writes: {
    /** https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#pause-between-mutative-requests */
    everyMs: second,
    /** A waiting write keeps a worker from other work. */
    patienceMs: 30 * second,
    totalPatienceMs: minute,
    /** Other entries need the slot. */
    queuePatienceMs: second,
    /** A request ends after 30 s, and a list may lag behind. */
    answerOnItsWayMs: 35 * second,
  },
  github: {
    /** The last try may take 30 s, so a caller waits for a minute at most. */
    tryWithinMs: 30 * second,
    retryDelaysMs: [second, 3 * second],
    /** GitHub may refuse a token that is younger than this. */
    youngTokenMs: 5 * second,
    settleDelaysMs: [second, 2 * second, 4 * second, 8 * second],
    replicationDelaysMs: [500, 1_500, 3 * second],
    readyDelaysMs: [second, 2 * second, 4 * second, 8 * second],
    /** https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#handle-rate-limit-errors-appropriately */
    leastLimitMs: minute,
    longestLimitMs: 24 * hour,
    /** Doubled each time if GitHub names no time. */
    leastBlockMs: minute,
    longestBlockMs: hour,
    suspendedRetryMs: 10 * minute,
    shortestOutageRetryMs: 2 * second,
    longestOutageRetryMs: 5 * minute,
    idleAccessMs: 30 * second,
    clockSkewMs: 5 * minute,
  },
  deliveries: {
    /** GitHub waits 10 s: https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks */
    storeWithinMs: 4 * second,
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
  /** A round ends before the next begins. */
  reconcile: {
    roundMs: 4.5 * minute,
    settingsRoundMs: 9.5 * minute,
    /** The rest of the round requests redeliveries. */
    lookForMissedMs: 4 * minute,
    removalMs: minute,
    /** Each round at a start costs a token per installation or project. */
    reconcileAtStartAfterMs: 5 * minute,
    settingsAtStartAfterMs: hour,
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
    /** All retries of an entry end before, unless it waits for an outage to end. */
    longestTriesMs: 2 * hour,
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
    longestBackoffMs: 16 * second,
    /** A longer wait would occupy the worker's slot. */
    longestWaitMs: minute,
    longestTryingMs: 5 * minute,
    longestParkMs: 24 * hour,
  },
  health: {
    everyMs: 5 * minute,
    checkWithinMs: 20 * second,
  },
  sessions: {
    idleMs: 8 * hour,
    longestMs: 7 * 24 * hour,
    touchEveryMs: minute,
    /** From the button to the way back from GitHub. */
    signInMs: 10 * minute,
    /** How long a person's permission is cached for pages that only show. */
    roleMs: 5 * minute,
    noRoleMs: minute,
    /** For streams: with a heartbeat and the patience below, one ends 24 s after access ended. */
    watchedRoleMs: 4 * second,
    watchWithinMs: 5 * second,
    askGitHubMs: 10 * second,
  },
  http: {
    /** Callers get their 503 within two seconds. */
    queryMs: 1_500,
    mcpPollMs: second,
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
    checkoutTimeoutMs: 10 * minute,
    fetchTimeoutMs: 15 * minute,
    pushTimeoutMs: 5 * minute,
    repackTimeoutMs: 15 * minute,
    checkTimeoutMs: 5 * minute,
    searchTimeoutMs: 10 * second,
    probeTimeoutMs: 30 * second,
    leastPauseMs: minute,
    longestPauseMs: 24 * hour,
    mirrorPatienceMs: 30 * second,
    mirrorPollEveryMs: 50,
    mirrorRetryMs: minute,
    maintainEveryMs: 10 * minute,
    measureEveryMs: 500,
  },
  threads: {
    /** For the code of a thread, also on a machine that is too busy. */
    loadMs: minute,
    /** The largest inputs take a tenth of it. */
    taskTimeoutMs: 5 * second,
    idleMs: 10 * second,
    /** On a processor, so that a busy machine does not take it away: a site of 1,500 pages takes a quarter of it. */
    sessionRequestMs: 10 * second,
    /** On the clock, with what it needs of git. */
    longestRequestMs: 2 * minute,
    /** A model thinks between two requests of a run. */
    sessionIdleMs: 2 * minute,
  },
  database: {
    statementTimeoutMs: 30 * second,
    answerWithinMs: 2 * second,
    readyWithinMs: 1_500,
    /** For writes that must not be lost. */
    retryForMs: 2 * minute,
    tryWithinMs: 5 * second,
    retryEveryMs: second,
    /** No transaction of the previous version lives longer than half of this. */
    migrateForMs: minute,
    migrateRetryMs: 200,
    heartbeatEveryMs: 10 * second,
    touchKeyEveryMs: minute,
  },
  embeddedDatabase: {
    startWithinMs: minute,
    stuckAfterMs: 20 * second,
    restartPauseMs: second,
    restartRetryMs: 10 * second,
    /** PostgreSQL writes its lock file within microseconds: an empty one is left from a crash. */
    emptyLockFileMs: 10 * second,
  },
};

export type Timing = typeof realTiming;
