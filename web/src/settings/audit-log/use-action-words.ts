import { useTranslation } from "react-i18next";
import { auditActions } from "../../../../server/src/wire/audit-actions.ts";

type AuditAction = (typeof auditActions)[number];

const isKnown = (action: string): action is AuditAction =>
  (auditActions as readonly string[]).includes(action);

type Dashed<Text extends string> = Text extends `${infer Word} ${infer Rest}`
  ? Dashed<`${Word}-${Rest}`>
  : Text;
const keyOf = <Action extends AuditAction>(action: Action) => action.replaceAll(" ", "-") as Dashed<Action>;

/** What was done, in words; `otherwise`: what a newer server says that this app does not know. */
export function useActionWords(): (action: string, otherwise?: string) => string {
  const { t } = useTranslation("settings/audit-log");
  return (action, otherwise = action) => (isKnown(action) ? t(`actions.${keyOf(action)}`) : otherwise);
}
