import type { assistant as english } from "./en.ts";

export const assistant: Record<keyof typeof english, string> = {
  "model.key": "助手的端点拒绝了此安装的密钥。请管理员检查 VEDETTE_ASSISTANT_KEY。",
  "model.model":
    "助手的端点没有这个模型，或者地址有误。请管理员检查 VEDETTE_ASSISTANT_MODEL 和 VEDETTE_ASSISTANT_URL。",
  "model.rejected": "助手的端点没有接受这个问题。对话可能超出了模型的长度，或者该模型不能调用工具。",
  "model.busy": "助手的端点暂时不再接受请求，请稍后再试。",
  "model.failed": "助手的端点出错了，请稍后再试。",
  "model.unreached": "无法连接助手的端点。",
  "model.cut": "回答尚未完成，与助手端点的连接就中断了。",
  "model.garbled": "无法读取助手端点的回答。请管理员检查 VEDETTE_ASSISTANT_URL。",
  "model.slow": "助手的端点太久没有响应。",
  "model.long": "助手的回答太长了。",
  "assistant.not_configured": "此安装尚未配置助手。",
  "assistant.answering": "此对话中已有一个回答正在生成。",
  "assistant.too_many_answers": "最多可同时为您生成 {limit} 个回答。",
  "assistant.nothing_to_say": "没有可继续的内容：请提问，或先作出决定。",
  "assistant.decided": "此操作已被处理，或已过期。",
  "assistant.ended": "您的访问权限已终止。",
  "assistant.stopped": "已停止。",
  "assistant.at_limit": "已执行 {limit} 步后停止。再次提问即可继续。",
  "assistant.cut_short": "回答在此处被截断。",
  "assistant.refused": "模型不愿回答这个问题。",
  "assistant.nothing_said": "模型没有给出内容。",
  "assistant.would_do": "如果您同意，我想执行以下操作。",
  "assistant.agreed": "已同意：{what}",
  "assistant.not_agreed": "已拒绝：{what}",
};
