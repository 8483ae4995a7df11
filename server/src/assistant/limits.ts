/** How often a model is asked for one answer. */
export const MAX_STEPS = 12;
/** How many tools it may call at once. */
export const MAX_CALLS_A_STEP = 8;
/** How many tools it is told of; OpenAI takes 128. */
export const MAX_TOOLS = 100;
/** How many calls a reply may have; one with more is out of hand. */
export const MAX_CALLS_A_REPLY = 64;
/** Of what was called and read for an answer that goes on, told again; some 40,000 tokens. */
export const MAX_REPLAYED = 150_000;
/** Of all that tools gave for one answer; some 60,000 tokens. */
export const MAX_RESULTS = 200_000;
/** Of one of them; what is longer was cut already, so that it fits (assistant/tools/answer.ts), and this is the last resort. */
export const MAX_RESULT = 40_000;
/** Of an answer, so that it fits into a message. */
export const MAX_ANSWER_BYTES = 60_000;
/** How much of what was said before a model is told, from the end. */
export const MAX_HISTORY_MESSAGES = 30;
export const MAX_HISTORY_CHARACTERS = 60_000;
/** The whole of an answer. */
export const MAX_ANSWER_MS = 5 * 60_000;
/** After this silence a line says that the answer goes on: proxies and our own server close what is silent. */
export const WAIT_LINE_MS = 5_000;
/** Of one person. */
export const ANSWERS_AT_ONCE = 3;
/** How long somebody can take to agree: what they were shown must still be so. */
export const CALL_WAITS_MS = 60 * 60_000;
/** What a model may give a tool as arguments. */
export const MAX_ARGUMENTS = 32_000;
