import type { MessageTexts } from "./en.ts";

/** What messages of an organization's channels say beside the facts, in Chinese; see en.ts. */
export const zh: MessageTexts = {
  "title.monitor.down": "{name} 发生故障",
  "title.monitor.up": "{name} 已恢复",
  "title.monitor.degraded": "{name} 性能下降",
  "title.monitor.flapping": "{name} 反复发生故障",
  "title.monitor.stopped": "{name} 已停止监控",
  "title.test": "来自 Vedette 的测试消息",
  "label.target": "地址",
  "label.locations": "异常位置",
  "label.severity": "严重程度",
  "label.tags": "标签",
  "severity.low": "低",
  "severity.medium": "中",
  "severity.high": "高",
  "severity.critical": "严重",
  link: "在 Vedette 中查看",
};
