const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * Every pace, patience and grace of the service, in milliseconds. `startService` takes one such value; tests that need not wait pass a
 * shorter one. How long caches and old rows are kept is not here.
 */
export const realTiming = {
  /** The right of a worker to work on a job. */
  lease: {
    /** A crashed worker's job is taken over after this and one look. Five missed renewals fit in. */
    durationMs: 12 * second,
    renewEveryMs: 2 * second,
  },
  /** How workers find jobs. */
  claims: {
    /** Finds jobs that become due by time, or whose wake-up was lost. */
    lookEveryMs: second,
    /** Before a claimed job that could not be worked on is tried again. */
    brokenRetryMs: 5 * second,
    /** A slower answer of the database counts as an outage. */
    promptAnswerMs: 2 * second,
    /** After an outage, lease holders retry every second; this is their time to renew before others take over. */
    afterOutageMs: 5 * second,
  },
  /** A stop has 30 s in all. */
  shutdown: {
    /** How long a run that is handed over may wait for the model's answer, which costs money. */
    answerGraceMs: 15 * second,
    /** After that, time to store how the runs ended. */
    lastWordMs: 3 * second,
    /** Then, time for the last try to end; with a reachable database it takes no longer. */
    lastTryMs: 5 * second,
    /** For requests under way. */
    httpDrainMs: 5 * second,
    /** For requests to the set-up pages under way. */
    setupDrainMs: second,
    /** For entries of the queue under way. */
    queueDrainMs: 5 * second,
    /** For a connection in use to be released. */
    databaseGoodbyeMs: 2 * second,
    /** For a tool that was aborted to end. */
    abortedWorkMs: 3 * second,
  },
  /** Before a run that could not go on is tried again. */
  runs: {
    firstFaultRetryMs: 5 * second,
    laterFaultRetryMs: 30 * second,
    githubOutageRetryMs: 30 * second,
    databaseRetryMs: second,
    /** Only a person makes room on a full disk, and each try may pay for an answer that cannot be stored. */
    fullDatabaseRetryMs: minute,
    shortestModelRetryMs: minute,
    longestModelRetryMs: 15 * minute,
    /** A model server that is down for longer fails the run. */
    longestModelOutageMs: hour,
    /** A run that has only waited for this long fails. */
    longestWaitMs: 24 * hour,
    /** A try holds a slot for 16 minutes at the worst: what started later after its due time was tried late. */
    longestTryMs: 20 * minute,
  },
  /** Writes on GitHub, per installation. */
  writes: {
    /** https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#pause-between-mutative-requests */
    everyMs: second,
    /** How long one write of a run may wait for its slot: it keeps a worker from other work. */
    patienceMs: 30 * second,
    /** How long all writes of one client may wait together. */
    totalPatienceMs: minute,
    /** How long a write of the queue may wait: other entries need its place. */
    queuePatienceMs: second,
    /** After this the queue sends an answer that a run had on its way: a request ends after 30 s, and a list may lag behind. */
    answerOnItsWayMs: 35 * second,
  },
  /** Requests to GitHub. */
  github: {
    /** No try begins later than this after the first: with a time-out of 30 s, a reader waits for a minute at most. */
    tryWithinMs: 30 * second,
    retryDelaysMs: [second, 3 * second],
    /** GitHub may refuse a token that it has just made. Counted from the client's creation, which mints the token. */
    youngTokenMs: 5 * second,
    /** What was just created may still be missing for other calls. */
    settleDelaysMs: [second, 2 * second, 4 * second, 8 * second],
    /** Lists may lag behind what was written. */
    replicationDelaysMs: [500, 1_500, 3 * second],
    /** A pushed branch may still be missing for the call that opens its pull request. */
    readyDelaysMs: [second, 2 * second, 4 * second, 8 * second],
    /** The pause after a rate limit that names none: https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#handle-rate-limit-errors-appropriately */
    leastLimitMs: minute,
    longestLimitMs: 24 * hour,
    /** Where GitHub names no time, an installation pauses for the least, then twice as long each time. */
    leastBlockMs: minute,
    longestBlockMs: hour,
    /** How often a suspended installation is checked. */
    suspendedRetryMs: 10 * minute,
    shortestOutageRetryMs: 2 * second,
    longestOutageRetryMs: 5 * minute,
    /** An access that nobody uses is closed after this. */
    idleAccessMs: 30 * second,
  },
  /** Webhooks of GitHub. */
  deliveries: {
    /** GitHub waits 10 s for an answer: https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks */
    storeWithinMs: 4 * second,
    /** GitHub itself gives up then. */
    bodyTimeoutMs: 10 * second,
    /** How long a comment waits in the queue's place for older comments. */
    olderCommentMs: 2 * second,
    lookForOlderEveryMs: 200,
    /** A comment that came longer ago gives its place back: the older one waits for GitHub by then. */
    youngCommentMs: 30 * second,
    commentRetryMs: 10 * second,
    /** GitHub announces a review before its last remark exists: https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request_review */
    reviewMs: 3 * second,
    /** How long a remark waits for the delivery of its review, which brings all remarks at once. */
    remarkMs: 6 * second,
  },
  /** Comparisons with GitHub. Each round ends before the next begins. */
  reconcile: {
    roundMs: 4.5 * minute,
    settingsRoundMs: 9.5 * minute,
    /** The part of a round that looks for failed deliveries; the rest asks for them again. */
    lookForMissedMs: 4 * minute,
    /** The part of a round that archives what no longer exists. */
    removalMs: minute,
    /** A start does the work again only after this: each costs a token for each installation or project. */
    reconcileAtStartAfterMs: 5 * minute,
    settingsAtStartAfterMs: hour,
  },
  queue: {
    /**
     * LISTEN/NOTIFY delivers an entry within milliseconds. The poll interval is short all the same: after each fetch a pg-boss worker
     * sleeps for a whole interval, whatever notifications arrive, and the default is 30 s.
     */
    pollEveryMs: second,
    schedulePollEveryMs: 2 * second,
    /** An entry that takes longer is stopped before pg-boss gives it to another worker. */
    entryTimeoutMs: 45 * second,
    /** Well below the 15 minutes after which pg-boss starts the work again. */
    scheduledTimeoutMs: 10 * minute,
  },
  model: {
    /** The silence between two events of a stream. */
    idleTimeoutMs: 2 * minute,
    requestTimeoutMs: 10 * minute,
    /** Doubled for each try. */
    backoffMs: second,
    longestBackoffMs: 16 * second,
    /** More waiting would hold the worker's slot for nothing: the run is put off. */
    longestWaitMs: minute,
    longestTryingMs: 5 * minute,
    /** However long a server asks to wait, it is asked again after a day. */
    longestParkMs: 24 * hour,
  },
  http: {
    /** With the time to find out whether the database is unavailable, callers get their 503 within two seconds. */
    queryMs: 1_500,
    /** For GitHub's answer on the pages after an installation. */
    installedPageMs: 10 * second,
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
    /** For the request that finds out why git failed. */
    probeTimeoutMs: 30 * second,
    /** What GitHub wants where it asks for no other pause. */
    leastPauseMs: minute,
    /** No limit of GitHub lasts longer than an hour. */
    longestPauseMs: 24 * hour,
    /** How long a run waits for a mirror that another process fetches. */
    mirrorPatienceMs: 30 * second,
    mirrorPollEveryMs: 50,
    /** Before a mirror that is being cloned again or repacked is tried again. */
    mirrorRetryMs: minute,
    /** How often each process maintains its own files: mirrors and workspaces. */
    maintainEveryMs: 10 * minute,
    /** How often a growing folder is measured. */
    measureEveryMs: 500,
  },
  database: {
    /** A statement that takes longer is stuck: its connection is worth more than its answer. */
    statementTimeoutMs: 30 * second,
    /** How long somebody who waits for an answer is kept waiting for the database. */
    answerWithinMs: 2 * second,
    readyWithinMs: 1_500,
    /** For what must not be lost: how long it is tried, how long one try takes, and the pause between two. */
    retryForMs: 2 * minute,
    tryWithinMs: 5 * second,
    retryEveryMs: second,
    /** How long processes of the version before are asked to release their locks; no transaction lives longer than half of it. */
    migrateForMs: minute,
    migrateRetryMs: 200,
    /** Shows that the connection that LISTENs is alive. */
    heartbeatEveryMs: 10 * second,
    /** How exact an API key's last use is. */
    touchKeyEveryMs: minute,
  },
  embeddedDatabase: {
    startWithinMs: minute,
    /** A server that neither starts nor ends for this long is stuck. */
    stuckAfterMs: 20 * second,
    /** For the rest of a killed server to end. */
    restartPauseMs: second,
    /** A full disk stays full for a while. */
    restartRetryMs: 10 * second,
    /** PostgreSQL writes its lock file within microseconds: one that stays empty was left by a crash. */
    emptyLockFileMs: 10 * second,
  },
};

export type Timing = typeof realTiming;
