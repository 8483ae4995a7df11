import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type SignIn, signInsQuery, useEndOtherSignIns, useEndSignIn } from "../../api/profile.ts";
import { Button } from "../../components/Button.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { showToast } from "../../toasts.ts";
import { focusSignIns } from "./focus.ts";
import { SignInList } from "./SignInList.tsx";
import { useDeviceName } from "./use-device-name.ts";

/** Where the reader is signed in, and the ways to end that. */
export function SignInsCard() {
  const { t } = useTranslation("settings/profile");
  const query = useQuery(signInsQuery);
  const [ending, setEnding] = useState<SignIn | "others" | null>(null);
  const close = () => setEnding(null);
  const hasOthers = (query.data?.length ?? 0) > 1;
  return (
    <Section
      title={t("signIns.title")}
      aside={
        hasOthers && (
          <Button variant="quiet" data-opens="sign-ins" onClick={() => setEnding("others")}>
            {t("signIns.endOthers")}
          </Button>
        )
      }
    >
      <p className="px-4 pb-3 text-sm text-pretty text-ink-muted">{t("signIns.text")}</p>
      <Loaded
        of={query}
        failed={t("signIns.failed")}
        loading={<SignInList signIns={undefined} onEnd={setEnding} />}
      >
        {(signIns) => <SignInList signIns={signIns} onEnd={setEnding} />}
      </Loaded>
      {ending === "others" && <EndOthersDialog onClose={close} />}
      {ending !== null && ending !== "others" && <EndDialog signIn={ending} onClose={close} />}
    </Section>
  );
}

function EndDialog({ signIn, onClose }: { signIn: SignIn; onClose: () => void }) {
  const { t } = useTranslation("settings/profile");
  const device = useDeviceName()(signIn);
  const ending = useEndSignIn();
  const done = () => {
    showToast("success", t("signIns.ended", { device }));
    onClose();
  };
  return (
    <ConfirmDialog
      title={t("signIns.endTitle", { device })}
      text={t("signIns.endText")}
      submitLabel={t("signIns.end")}
      busy={ending.isPending}
      error={ending.error}
      onConfirm={() => ending.mutate(signIn, { onSuccess: done })}
      onCancel={onClose}
      onLeft={useFocusBack(focusSignIns)}
    />
  );
}

function EndOthersDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("settings/profile");
  const ending = useEndOtherSignIns();
  const done = () => {
    showToast("success", t("signIns.endedOthers"));
    onClose();
  };
  return (
    <ConfirmDialog
      title={t("signIns.endOthersTitle")}
      text={t("signIns.endOthersText")}
      submitLabel={t("signIns.endOthers")}
      busy={ending.isPending}
      error={ending.error}
      onConfirm={() => ending.mutate(undefined, { onSuccess: done })}
      onCancel={onClose}
      onLeft={useFocusBack(focusSignIns)}
    />
  );
}
