import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Card } from "../components/Card.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { useFormErrors } from "../components/use-form-errors.ts";
import { ToolForm } from "./ToolForm.tsx";
import { ToolProgress } from "./ToolProgress.tsx";
import { ToolResult } from "./ToolResult.tsx";
import { asSearch, type ToolValues } from "./tool-search.ts";
import { fieldsOf, type ToolName } from "./tools.ts";
import { useTool } from "./use-tool.ts";

/**
 * One tool: its form, how far it is, and what came of it. Its address holds what was asked, so that it can be passed on; whoever
 * opens it finds the form filled in, and starts the tool themselves: a link must not have this server ask whom its author likes.
 */
export function ToolPanel({ tool, given }: { tool: ToolName; given: ToolValues }) {
  const { t } = useTranslation("toolbox");
  const navigate = useNavigate();
  const { run, start, stop } = useTool(tool);
  const names = fieldsOf(tool).map(({ name }) => name);
  const { form, fields, failure } = useFormErrors(run.error, names);
  const submit = (values: ToolValues) => {
    void navigate({ to: "/toolbox", search: asSearch(tool, values), replace: true, resetScroll: false });
    void start(values);
  };
  return (
    <>
      <Card>
        <form
          ref={form}
          noValidate
          aria-label={t(`tool.${tool}.name`)}
          onSubmit={(event) => event.preventDefault()}
        >
          <ToolForm
            tool={tool}
            given={given}
            errors={fields}
            isRunning={run.isRunning}
            onSubmit={submit}
            onStop={stop}
          />
        </form>
      </Card>
      <ToolProgress run={run} />
      <FailureNotice of={failure} />
      {run.result !== null && <ToolResult tool={tool} result={run.result} />}
    </>
  );
}
