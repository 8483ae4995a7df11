import { type FileRequest, readFile } from "../../../src/monitors/import/read-file.ts";
import { handleRequests } from "../../../src/platform/worker-pool.ts";

// As the thread that reads files, but never done with one of them.
handleRequests<FileRequest>(async (request) => {
  while (request.content === "stuck");
  return readFile(request);
});
