"""Transformers: a tiny model of random weights, trained, saved, loaded into another head, and asked for text."""

import torch
import transformers
from drawn import CHOICE, SEED
from torch.utils.data import Dataset

transformers.set_seed(SEED)
if SEED % 2:
    transformers.logging.set_verbosity_info()
name = CHOICE.choice(("gpt2", "llama", "bert", "opt"))
common = {
    "vocab_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "hidden_size": 32,
    "intermediate_size": 64,
}
built = {
    "gpt2": lambda: transformers.GPT2LMHeadModel(
        transformers.GPT2Config(vocab_size=128, n_embd=32, n_layer=2, n_head=2, n_positions=64)
    ),
    "llama": lambda: transformers.LlamaForCausalLM(
        transformers.LlamaConfig(**common, num_key_value_heads=1, max_position_embeddings=64)
    ),
    "bert": lambda: transformers.BertForMaskedLM(transformers.BertConfig(**common)),
    "opt": lambda: transformers.OPTForCausalLM(
        transformers.OPTConfig(
            vocab_size=128,
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            ffn_dim=64,
            word_embed_proj_dim=32,
            max_position_embeddings=64,
        )
    ),
}
model = built[name]()


class Tokens(Dataset):
    def __len__(self):
        return 48

    def __getitem__(self, index):
        tokens = torch.randint(0, 128, (24,), generator=torch.Generator().manual_seed(index))
        return {"input_ids": tokens, "labels": tokens, "attention_mask": torch.ones_like(tokens)}


arguments = transformers.TrainingArguments(
    "out",
    per_device_train_batch_size=8,
    num_train_epochs=2,
    logging_steps=3,
    save_steps=6,
    report_to=[],
    use_cpu=True,
    gradient_checkpointing=SEED % 3 == 0,
    bf16=SEED % 4 == 1,
    disable_tqdm=SEED % 2 == 1,
    dataloader_pin_memory=SEED % 2 == 0,
)
trainer = transformers.Trainer(model=model, args=arguments, train_dataset=Tokens(), eval_dataset=Tokens())
print(trainer.train())
print(trainer.evaluate())
model.save_pretrained("saved", max_shard_size="20KB")
print(type(model).from_pretrained("saved").num_parameters())
if name in ("gpt2", "llama", "opt"):
    heads = {
        "gpt2": transformers.GPT2ForSequenceClassification,
        "llama": transformers.LlamaForSequenceClassification,
        "opt": transformers.OPTForSequenceClassification,
    }
    heads[name].from_pretrained("saved", num_labels=3)
    print(model.generate(torch.tensor([[1, 2, 3]]), max_new_tokens=6, do_sample=False, temperature=0.7))
else:
    transformers.BertForTokenClassification.from_pretrained("saved", num_labels=3)
