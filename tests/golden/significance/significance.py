"""Makes significance.json with scipy: paired t-test, sign-flip permutation test, percentile bootstrap."""
import json, random
import numpy as np
from scipy import stats

random.seed(7)
goldens = []
for n in [2, 5, 8, 10, 12, 16, 20, 29, 29, 45, 76, 100]:
    spread, shift = random.choice([(0.05, 0.02), (0.2, 0.05), (0.3, 0.0)])
    baseline = [round(random.random(), 4) for _ in range(n)]
    run = [round(min(1, max(0, b + random.gauss(shift, spread))), 4) for b in baseline]
    d = np.subtract(run, baseline)
    mean = lambda x, axis: np.mean(x, axis=axis)
    permuted = stats.permutation_test((d,), mean, permutation_type="samples", vectorized=True,
                                      n_resamples=2**16 + 1 if n <= 16 else 200_000, random_state=3)
    interval = stats.bootstrap((d,), np.mean, method="percentile", n_resamples=100_000, random_state=4).confidence_interval
    goldens.append(dict(run=run, baseline=baseline, t=float(stats.ttest_rel(run, baseline).pvalue),
                        randomisation=float(permuted.pvalue), interval=[float(interval.low), float(interval.high)]))
json.dump(goldens, open("significance.json", "w"))
