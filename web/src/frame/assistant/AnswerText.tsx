import { lazy, memo } from "react";
import { GuardedMarkdown } from "../../components/markdown/GuardedMarkdown.tsx";

// What reads Markdown and its tables comes with the first answer.
const AnswerMarkdown = lazy(async () => ({ default: (await import("./AnswerMarkdown.tsx")).AnswerMarkdown }));

/** What the assistant says, in Markdown; as it was written until what reads it is here, and where that would take too long. */
export const AnswerText = memo(({ text }: { text: string }) => (
  <GuardedMarkdown text={text} size="document">
    <AnswerMarkdown text={text} />
  </GuardedMarkdown>
));
