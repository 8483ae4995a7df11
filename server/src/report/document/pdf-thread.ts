import { answerQuestions } from "../../thread.ts";
import type { ReportDocument } from "./document.ts";
import { pdfDocument } from "./pdf-document.ts";

answerQuestions<ReportDocument>((document) => pdfDocument(document));
