import { threadId } from "node:worker_threads";
import type { PageAnswers, PageQuestion } from "../../src/site/page-messages.ts";
import { answerQuestions } from "../../src/thread.ts";

/** Stands for the thread that reads pages: an address says what to do. Run as its module. */
answerQuestions<PageQuestion>(
  async ({ url }): Promise<PageAnswers["title"]> => {
    if (url === "hang") await new Promise(() => {});
    if (url === "crash") throw new Error("scripted");
    while (url === "spin");
    return { title: String(threadId), url };
  },
  () => false,
);
