import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Session } from "../../api/session.ts";
import { Button } from "../../components/Button.tsx";
import { Section } from "../../components/Section.tsx";
import { SettingRow } from "../SettingRow.tsx";
import { DeleteOrganizationDialog } from "./DeleteOrganizationDialog.tsx";
import { LeaveDialog } from "./LeaveDialog.tsx";
import { TransferDialog } from "./TransferDialog.tsx";

type Step = "transfer" | "leave" | "delete";

/** Leaving, and for owners handing over and deleting. */
export function EndSection({ session }: { session: Session }) {
  const { t } = useTranslation("settings/organization");
  const [step, setStep] = useState<Step | null>(null);
  const { organization, organizations } = session;
  const isOwner = organization.role === "owner";
  const belongsElsewhere = organizations.some(
    ({ id, deletesAt }) => id !== organization.id && deletesAt === null,
  );
  const close = () => setStep(null);
  const opens = (name: Step) => (
    <Button variant="quiet" onClick={() => setStep(name)}>
      {t(`end.${name}`)}
    </Button>
  );
  return (
    <Section title={t("end.title")}>
      {isOwner && (
        <SettingRow title={t("end.transfer")} text={t("end.transferText")}>
          {opens("transfer")}
        </SettingRow>
      )}
      <SettingRow title={t("end.leave")} text={t(belongsElsewhere ? "end.leaveText" : "end.onlyOne")}>
        {belongsElsewhere && opens("leave")}
      </SettingRow>
      {isOwner && organization.deletesAt === null && (
        <SettingRow
          title={t("end.delete")}
          text={t(belongsElsewhere ? "end.deleteText" : "end.onlyOneToDelete")}
        >
          {belongsElsewhere && opens("delete")}
        </SettingRow>
      )}
      {step === "transfer" && <TransferDialog session={session} onClose={close} />}
      {step === "leave" && <LeaveDialog session={session} onClose={close} />}
      {step === "delete" && <DeleteOrganizationDialog session={session} onClose={close} />}
    </Section>
  );
}
