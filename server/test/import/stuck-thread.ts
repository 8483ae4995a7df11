import { type FileQuestion, readFile } from "../../src/import/read-file.ts";
import { answerQuestions } from "../../src/thread.ts";

// As the thread that reads files, but never done with one of them.
answerQuestions<FileQuestion>(async (question) => {
  while (question.content === "stuck");
  return readFile(question);
});
