import type { channels as english } from "./en.ts";

/** What channels are told of and answer, in Chinese; see en.ts. */
export const channels: Readonly<Record<keyof typeof english, string>> = {
  "delivery.accepted": "{where} 已接收（{status}）。",
  "delivery.refused": "{where} 拒绝了消息（{status}）：{said}",
  "delivery.ended": "{where} 不再接收来自此处的消息（{status}）：{said}",
  "delivery.failed": "{where} 未能接收消息（{status}）：{said}",
  "delivery.busy": "{where} 暂时不再接收消息（{status}）。",
  "delivery.redirect": "{where} 返回了重定向（{status}），Vedette 不会跟随。",
  "delivery.unreached": "未能送达。{because}",
  "delivery.channel_off": "该渠道已停用。",
  "delivery.channel_gone": "该渠道已不存在。",
  "delivery.untold": "该渠道未收到故障通知，因此也不会收到恢复通知。",
  "delivery.unknown_type": "此版本的 Vedette 不支持类型为 {type} 的渠道。",
  "delivery.waits": "消息已在等待发送。",
  "channel.taken": "已有名为 {name} 的渠道，请换一个名称。",
  "channel.many": "每个组织最多可有 {limit} 个渠道。",
  "channel.template_name": "模板引用了 {name}，但消息中没有此项。",
  "channel.template_json": "模板看起来是 JSON，但填入内容后并不是有效的 JSON。",
  "channel.key_or_urls": "请填写已保存配置的密钥或 URL，二者选一。",
  "channel.hours": "时间段必须是两个不同的时刻，例如 08:00 和 18:00。",
  "delivery.over": "在渠道的发送时段开始之前，故障已经结束。",
  "delivery.outdated": "在渠道的发送时段开始之前，已有更新的情况。",
  "notice.digest": "{count} 个监控项的状态发生了变化。",
  "notice.test": "这是一条测试消息。有关您的监控项的消息将发送到这里。",
  "notice.channel_off": "通知渠道 {name} 已停用：对方已永久拒绝接收消息。{because}",
};
