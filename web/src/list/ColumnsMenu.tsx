import { Check, Columns3 } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useTranslation } from "react-i18next";
import { IconButton } from "../components/Button.tsx";
import { Menu } from "../components/Menu.tsx";
import type { ListColumn } from "./descriptor.ts";

interface ColumnsMenuProps<Item> {
  columns: readonly ListColumn<Item>[];
  hidden: ReadonlySet<string>;
  onHide: (id: string, isHidden: boolean) => void;
}

/** Which columns the list has. It stays open, so that several can be turned over. */
export function ColumnsMenu<Item>({ columns, hidden, onHide }: ColumnsMenuProps<Item>) {
  const { t } = useTranslation("list");
  const trigger = (
    <IconButton label={t("columns")} className="size-7">
      <Columns3 aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <Menu trigger={trigger}>
      <DropdownMenu.Label className="px-2 pt-1 pb-0.5 text-xs text-ink-faint">
        {t("columns")}
      </DropdownMenu.Label>
      {columns
        .filter(({ stays }) => !stays)
        .map(({ id, head }) => (
          <DropdownMenu.CheckboxItem
            key={id}
            checked={!hidden.has(id)}
            onCheckedChange={(on) => onHide(id, !on)}
            onSelect={(event) => event.preventDefault()}
            className="flex h-8 items-center gap-2.5 rounded-sm px-2 outline-none select-none data-highlighted:bg-hover"
          >
            <span className="size-4 shrink-0 text-ink-faint">
              <DropdownMenu.ItemIndicator>
                <Check aria-hidden className="size-4" />
              </DropdownMenu.ItemIndicator>
            </span>
            {head}
          </DropdownMenu.CheckboxItem>
        ))}
    </Menu>
  );
}
