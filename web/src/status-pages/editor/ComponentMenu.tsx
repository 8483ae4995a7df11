import { ArrowDown, ArrowUp, Ellipsis, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/Button.tsx";
import { Menu, MenuChoices, MenuItem } from "../../components/Menu.tsx";
import { listOf, removeComponent } from "./arrange.ts";
import type { DraftComponent, ListKey } from "./page-draft.ts";
import { type Arranging, nameOf } from "./use-arranging.ts";

interface ComponentMenuProps {
  component: DraftComponent;
  list: ListKey;
  arranging: Arranging;
}

/** What can be done with a component, for fingers and keys alike. */
export function ComponentMenu({ component, list, arranging }: ComponentMenuProps) {
  const { t } = useTranslation("status-pages/editor");
  const { key } = component;
  const { draft } = arranging;
  const name = nameOf(component);
  const trigger = (
    <IconButton label={t("actionsFor", { name })} data-row-menu={key}>
      <Ellipsis aria-hidden className="size-4" />
    </IconButton>
  );
  const choices = [
    { value: "", text: t("contents.noGroup") },
    ...draft.groups.map((group) => ({ value: group.key, text: group.name || t("contents.unnamed") })),
  ];
  return (
    <Menu trigger={trigger}>
      <MenuItem icon={<ArrowUp aria-hidden />} onSelect={() => arranging.stepBy(key, -1)}>
        {t("action.up")}
      </MenuItem>
      <MenuItem icon={<ArrowDown aria-hidden />} onSelect={() => arranging.stepBy(key, 1)}>
        {t("action.down")}
      </MenuItem>
      {draft.groups.length > 0 && (
        <MenuChoices
          label={t("action.group")}
          value={list ?? ""}
          choices={choices}
          onChoose={(chosen) => {
            const to = chosen === "" ? null : chosen;
            if (to !== list) arranging.moveTo(key, { list: to, at: listOf(draft, to).length });
          }}
        />
      )}
      <MenuItem
        icon={<Trash2 aria-hidden />}
        danger
        onSelect={() => arranging.edit((one) => removeComponent(one, key), t("said.removed", { name }))}
      >
        {t("action.remove")}
      </MenuItem>
    </Menu>
  );
}
