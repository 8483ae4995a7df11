/** What is said of the assistant, and by it in the place of a model. */
export const assistant = {
  "model.key":
    "The assistant's endpoint refused the key of this installation. Whoever runs it must check VEDETTE_ASSISTANT_KEY.",
  "model.model":
    "The assistant's endpoint does not know the model, or the address is wrong. Whoever runs this installation must check VEDETTE_ASSISTANT_MODEL and VEDETTE_ASSISTANT_URL.",
  "model.rejected":
    "The assistant's endpoint did not accept the question. The conversation may be too long for the model, or the model cannot call tools.",
  "model.busy": "The assistant's endpoint takes no more requests for the moment. Try again in a while.",
  "model.failed": "The assistant's endpoint failed. Try again in a while.",
  "model.unreached": "The assistant's endpoint could not be reached.",
  "model.cut": "The connection to the assistant's endpoint broke before the answer was complete.",
  "model.garbled":
    "What the assistant's endpoint answered could not be read. Whoever runs this installation must check VEDETTE_ASSISTANT_URL.",
  "model.slow": "The assistant's endpoint took too long to answer.",
  "model.long": "The assistant's answer was too long.",
  "assistant.not_configured": "No assistant is set up on this installation.",
  "assistant.answering": "An answer is already being written in this conversation.",
  "assistant.too_many_answers": "At most {limit} answers can be written for you at once.",
  "assistant.nothing_to_say": "There is nothing to go on with: ask something, or decide first.",
  "assistant.decided": "This was decided before, or has expired.",
  "assistant.ended": "Your access has ended meanwhile.",
  "assistant.stopped": "Stopped.",
  "assistant.at_limit": "Stopped after {limit} steps. Ask again to go on.",
  "assistant.cut_short": "The answer was cut short here.",
  "assistant.refused": "The model did not want to answer that.",
  "assistant.nothing_said": "The model said nothing.",
  "assistant.would_do": "I would like to do this, if you agree.",
  "assistant.agreed": "Agreed: {what}",
  "assistant.not_agreed": "Declined: {what}",
} as const;
