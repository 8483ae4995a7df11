import { answerQuestions } from "../thread.ts";
import { FileProblem } from "./file-entry.ts";
import { type FileQuestion, readFile } from "./read-file.ts";

// What is wrong with a file is an answer: an error would come out of the thread as another.
answerQuestions<FileQuestion>(async (question) => {
  try {
    return readFile(question);
  } catch (error) {
    if (error instanceof FileProblem) return { problems: error.fields };
    throw error;
  }
});
