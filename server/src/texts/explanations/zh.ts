import type { explanations as english } from "./en.ts";

/** Why an incident opened and closed, and what other settings would have done, in Chinese; see en.ts. */
export const explanations: Readonly<Record<keyof typeof english, string>> = {
  "explain.down":
    "故障：{fresh} 个监测点中有 {failing} 个失败，需要 {needed} 个。首次失败：{first:time}，来自 {location:place}。{because}",
  "explain.down_alone":
    "故障：{location:place} 连续失败 {failures} 次，需要 {needed} 次。首次失败：{first:time}。{because}",
  "explain.down_once": "故障：{location:place} 失败一次即可判定，发生于 {first:time}。{because}",
  "explain.up":
    "已恢复：{fresh} 个监测点中有 {up} 个正常，需要 {needed} 个。首次成功：{first:time}，来自 {location:place}。",
  "explain.up_alone":
    "已恢复：{location:place} 连续成功 {successes} 次，需要 {needed} 次。首次成功：{first:time}。",
  "explain.up_once": "已恢复：{location:place} 成功一次即可判定，发生于 {first:time}。",
  "explain.first": "正常：{first:time} 从 {location:place} 检查成功。",
  "explain.degraded":
    "性能下降：可以工作，但较慢或并非所有监测点都正常。{fresh} 个监测点中有 {failing} 个失败，达到 {needed} 个才算故障。{because}",
  "explain.recorded": "自 {at:time} 起：{state:word}。{because}",
  "place.local": "Vedette 服务器",
  "state.up": "正常",
  "state.degraded": "性能下降",
  "state.down": "故障",
  "state.unknown": "未知",
  "explain.vote_failing": "{location:place}：失败，自 {since:time} 起连续 {count} 次。{because}",
  "explain.vote_suspect":
    "{location:place}：自 {since:time} 起连续失败 {count} 次，需要 {needed} 次才计入。{because}",
  "explain.vote_recovering":
    "{location:place}：自 {since:time} 起连续成功 {count} 次，需要 {needed} 次才算恢复。",
  "explain.vote_ok": "{location:place}：正常，自 {since:time} 起连续 {count} 次。",
  "explain.vote_stale": "{location:place}：自 {since:time} 起没有结果，因此不计入。",
  "explain.no_results": "相关的检查结果已超过保留期限，只能说明当时记录的内容。",
  "explain.differs": "监控项此后被修改过，或结果迟到：按现在的设置，已保存的结果会得出与记录不同的过程。",
  "explain.cut": "结果太多，无法全部处理：{until:time} 之后的结果未计入。",
  "explain.deleted": "该监控项已被删除，其结果也一并删除。",
  "explain.maintenance": "{until:time} 之前处于维护中：检查照常进行，但不会通知任何人。",
  "explain.more": "共 {total} 次故障，这里解释前 {shown} 次。",
  "whatif.same":
    "若连续失败 {confirmations} 次判为故障、连续成功 {recoveries} 次判为恢复，且要求{quorum:word}：会在同一时刻发现。",
  "whatif.later":
    "若连续失败 {confirmations} 次判为故障、连续成功 {recoveries} 次判为恢复，且要求{quorum:word}：会晚 {by:duration}发现。",
  "whatif.earlier":
    "若连续失败 {confirmations} 次判为故障、连续成功 {recoveries} 次判为恢复，且要求{quorum:word}：会早 {by:duration}发现。",
  "whatif.none":
    "若连续失败 {confirmations} 次判为故障、连续成功 {recoveries} 次判为恢复，且要求{quorum:word}：完全不会报警。",
  "quorum.majority": "超过半数监测点失败",
  "quorum.count": "至少 {locations} 个监测点失败",
  "whatif.closed_later": "事件会晚 {by:duration}关闭。",
  "whatif.closed_earlier": "事件会早 {by:duration}关闭。",
  "whatif.open": "事件到现在仍不会关闭。",
  "whatif.several": "会有 {count} 次报警，而不是 {before} 次。",
  "whatif.assumed": "这些设置本应触发但实际没有进行的复查，按其前后检查的结果推定（{count} 次）。",

  "incident.not_grouped": "没有可分离的内容：此事件只涉及一个监控项。",
  "incident.not_in_it": "此事件中没有该 ID 的故障监控项。",
};
