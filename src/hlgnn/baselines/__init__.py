"""The methods that HL-GNN is compared with, one file or folder each, behind the contract of ``LinkModel``."""
