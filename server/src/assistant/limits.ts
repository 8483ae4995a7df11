/** Requests to the model for one answer. */
export const MAX_STEPS = 12;
export const MAX_CALLS_A_STEP = 8;
/** OpenAI accepts 128. */
export const MAX_TOOLS = 100;
/** A reply with more is out of hand. */
export const MAX_CALLS_A_REPLY = 64;
/** Characters of calls and results that are sent again; some 40,000 tokens. */
export const MAX_REPLAYED = 150_000;
/** Characters of all results for one answer; some 60,000 tokens. */
export const MAX_RESULTS = 200_000;
/** Characters of one result. A last resort: assistant/tools/answer.ts has cut it already. */
export const MAX_RESULT = 40_000;
/** So that an answer fits into a message. */
export const MAX_ANSWER_BYTES = 60_000;
export const MAX_HISTORY_MESSAGES = 30;
export const MAX_HISTORY_CHARACTERS = 60_000;
export const MAX_ANSWER_MS = 5 * 60_000;
/**
 * Proxies and our own server close silent connections: after this long a line says that the answer goes on.
 */
export const WAIT_LINE_MS = 5_000;
/** Per person. */
export const ANSWERS_AT_ONCE = 3;
/** What was shown to the person must still be true when they agree. */
export const CALL_WAITS_MS = 60 * 60_000;
/** Characters. */
export const MAX_ARGUMENTS = 32_000;
