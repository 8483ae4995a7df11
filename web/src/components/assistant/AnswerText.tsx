import { lazy, Suspense } from "react";

// What reads Markdown and its tables comes with the first answer.
const AnswerMarkdown = lazy(async () => ({ default: (await import("./AnswerMarkdown.tsx")).AnswerMarkdown }));

/** What the assistant says, in Markdown; as it was written until what reads it is here. */
export const AnswerText = ({ text }: { text: string }) => (
  <Suspense fallback={<p className="wrap-anywhere whitespace-pre-line">{text}</p>}>
    <AnswerMarkdown text={text} />
  </Suspense>
);
