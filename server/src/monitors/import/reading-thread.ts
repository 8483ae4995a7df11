import { msg } from "../../platform/i18n/message.ts";
import { handleRequests } from "../../platform/worker-pool.ts";
import { FileProblem } from "./file-entry.ts";
import { type FileRequest, readFile } from "./read-file.ts";

// What is wrong with a file is an answer: an error would come out of the thread as another.
handleRequests<FileRequest>(async (request) => {
  try {
    return readFile(request);
  } catch (error) {
    if (error instanceof FileProblem) return { problems: error.fields };
    // A text that grows beyond what there can be, or values nested too deep.
    if (error instanceof RangeError) return { problems: { content: [msg("import.unreadable")] } };
    throw error;
  }
});
