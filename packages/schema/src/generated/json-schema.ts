// Generated from ReasoningTraceSchema by `bun run generate`; a test keeps it current.
/** {@link ReasoningTraceSchema} as JSON Schema, draft 2020-12; the same as `@kp/schema/schema.json`. */
export const reasoningTraceJsonSchema: Readonly<Record<string, unknown>> = {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://openknowledgepulse.org/schema/v1/reasoning-trace.json",
  "title": "ReasoningTrace",
  "type": "object",
  "properties": {
    "@context": {
      "type": "string",
      "enum": [
        "https://openknowledgepulse.org/schema/v1",
        "https://knowledgepulse.dev/schema/v1"
      ]
    },
    "@type": {
      "type": "string",
      "const": "ReasoningTrace"
    },
    "id": {
      "type": "string",
      "pattern": "^kp:trace:[\\s\\S]"
    },
    "source_skill": {
      "type": "string"
    },
    "metadata": {
      "type": "object",
      "properties": {
        "created_at": {
          "type": "string",
          "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])))T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$"
        },
        "task_domain": {
          "type": "string",
          "minLength": 1
        },
        "success": {
          "type": "boolean"
        },
        "quality_score": {
          "type": "number",
          "minimum": 0,
          "maximum": 1
        },
        "visibility": {
          "type": "string",
          "enum": [
            "private",
            "org",
            "network"
          ]
        },
        "privacy_level": {
          "type": "string",
          "enum": [
            "aggregated",
            "federated",
            "private"
          ]
        },
        "agent_id": {
          "type": "string"
        },
        "framework": {
          "type": "string"
        },
        "validated_by": {
          "type": "array",
          "items": {
            "type": "string"
          }
        }
      },
      "required": [
        "created_at",
        "task_domain",
        "success",
        "quality_score",
        "visibility",
        "privacy_level"
      ],
      "additionalProperties": {}
    },
    "task": {
      "type": "object",
      "properties": {
        "objective": {
          "type": "string",
          "minLength": 1
        },
        "input_schema": {
          "type": "object",
          "propertyNames": {
            "type": "string"
          },
          "additionalProperties": {}
        }
      },
      "required": [
        "objective"
      ],
      "additionalProperties": {}
    },
    "steps": {
      "minItems": 1,
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "step_id": {
            "type": "integer",
            "minimum": 0,
            "maximum": 9007199254740991
          },
          "type": {
            "type": "string",
            "enum": [
              "thought",
              "tool_call",
              "observation",
              "error_recovery"
            ]
          },
          "content": {
            "type": "string"
          },
          "tool": {
            "type": "object",
            "properties": {
              "name": {
                "type": "string"
              },
              "mcp_server": {
                "type": "string"
              }
            },
            "required": [
              "name"
            ],
            "additionalProperties": {}
          },
          "input": {
            "type": "object",
            "propertyNames": {
              "type": "string"
            },
            "additionalProperties": {}
          },
          "output_summary": {
            "type": "string"
          },
          "latency_ms": {
            "type": "number",
            "minimum": 0
          }
        },
        "required": [
          "step_id",
          "type"
        ],
        "additionalProperties": {}
      }
    },
    "outcome": {
      "type": "object",
      "properties": {
        "result_summary": {
          "type": "string"
        },
        "confidence": {
          "type": "number",
          "minimum": 0,
          "maximum": 1
        }
      },
      "required": [
        "result_summary",
        "confidence"
      ],
      "additionalProperties": {}
    },
    "knowledge_graph_delta": {
      "type": "object",
      "properties": {
        "entities": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "name": {
                "type": "string"
              },
              "type": {
                "type": "string"
              }
            },
            "required": [
              "name",
              "type"
            ],
            "additionalProperties": {}
          }
        },
        "relationships": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "fact": {
                "type": "string"
              },
              "valid_from": {
                "type": "string"
              }
            },
            "required": [
              "fact",
              "valid_from"
            ],
            "additionalProperties": {}
          }
        }
      },
      "additionalProperties": {}
    }
  },
  "required": [
    "@context",
    "@type",
    "id",
    "metadata",
    "task",
    "steps",
    "outcome"
  ],
  "additionalProperties": {}
};
