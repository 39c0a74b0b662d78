"""Python with torch on the CPU, with threads and data-loading workers."""

import torch

from ugi import play

torch.manual_seed(1)
net = torch.nn.Sequential(torch.nn.Linear(300, 500), torch.nn.ReLU(), torch.nn.Linear(500, 100))


def choose(moves):
    steps = torch.optim.Adam(net.parameters())
    batches = torch.utils.data.DataLoader(torch.rand(512, 300), batch_size=128)
    for batch in batches:
        steps.zero_grad()
        net(batch).square().mean().backward()
        steps.step()
    with torch.no_grad():
        return moves[int(net(torch.rand(300))[: len(moves)].argmax())]


play(choose)
