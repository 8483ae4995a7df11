import { msg } from "../../platform/i18n/message.ts";
import { handleRequests } from "../../platform/worker-pool.ts";
import { FileProblem } from "./file-entry.ts";
import { type FileRequest, readFile } from "./read-file.ts";

// Returned, not thrown: errors lose their type between threads.
handleRequests<FileRequest>(async (request) => {
  try {
    return readFile(request);
  } catch (error) {
    if (error instanceof FileProblem) return { problems: error.fields };
    // Too large a text, or too deep a nesting.
    if (error instanceof RangeError) return { problems: { content: [msg("import.unreadable")] } };
    throw error;
  }
});
