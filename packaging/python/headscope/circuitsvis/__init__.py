"""What circuitsvis calls `attention`, with its arguments."""
from . import attention
from .attention import attention_heads, attention_patterns

__all__ = ["attention", "attention_heads", "attention_patterns"]
