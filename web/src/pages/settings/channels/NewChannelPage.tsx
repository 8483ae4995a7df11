import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMayWrite, useRole } from "../../../api/roles.ts";
import { Refused } from "../../../components/Loaded.tsx";
import { showToast } from "../../../components/toasts.ts";
import { usePageTitle } from "../../../components/use-page-title.ts";
import { currentTimeZone } from "../../../format.ts";
import { currentLanguage } from "../../../i18n/i18n.ts";
import { LabelledSelect } from "../LabelledSelect.tsx";
import { ChannelBar } from "./ChannelBar.tsx";
import { ChannelForm, channelTypes } from "./ChannelForm.tsx";

/** A channel that is to be added: its type first, because the rest follows from it. */
export function NewChannelPage() {
  const { t } = useTranslation("settings/channels");
  usePageTitle(t("newTitle"));
  const navigate = useNavigate();
  const role = useRole();
  const mayWrite = useMayWrite();
  const [type, setType] = useState(channelTypes[0] ?? "");
  if (!mayWrite) {
    return (
      <>
        <ChannelBar title={t("newTitle")} />
        <Refused role={role} />
      </>
    );
  }
  return (
    <>
      <ChannelBar title={t("newTitle")} />
      <div className="mb-4">
        <LabelledSelect
          label={t("typeLabel")}
          value={type}
          options={channelTypes.map((one) => [one, t(`type.${one}` as "type.slack", { defaultValue: one })])}
          onChange={setType}
        />
      </div>
      <ChannelForm
        key={type}
        type={type}
        channel={null}
        start={{ language: currentLanguage(), timeZone: currentTimeZone() }}
        onDone={(saved) => {
          if (!saved) return;
          showToast("success", t("added", { name: saved.name }));
          void navigate({ to: "/settings/channels/$id", params: { id: String(saved.id) }, replace: true });
        }}
      />
    </>
  );
}
