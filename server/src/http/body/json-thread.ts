import { parseJson } from "../../input/parse-json.ts";
import { answerQuestions } from "../../thread.ts";

/** A body that is too large to be parsed where everybody waits. */
export interface LargeBody {
  bytes: Uint8Array;
  maxValues: number;
}

answerQuestions<LargeBody>(async ({ bytes, maxValues }) => parseJson(bytes, maxValues));
