/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.recorder;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.informer.client.Moment;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EventSeries}: when it is written.
 */
class EventSeriesTests {

	private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

	private final EventSeries series = series("ns", "a", 1);

	/** Seconds at which it was written. */
	private final List<Long> writes = new ArrayList<>();

	static EventSeries series(String namespace, String name, long number) {
		V1ObjectReference regarding = new V1ObjectReference().apiVersion("v1")
			.kind("Pod")
			.namespace(namespace)
			.name(name);
		return new EventSeries(EventSeries.Identity.of(regarding, "Normal", "Scaled", "Scale"), regarding, number,
				moment(0));
	}

	private static Moment moment(long seconds) {
		return new Moment(START.plusSeconds(seconds), Duration.ofSeconds(seconds).toNanos());
	}

	@Test
	void runningSeries_isRefreshedAtIntervalsThatDouble_upToHalfAnHour() {
		run(4 * 60 * 60, 1);
		assertThat(this.writes).containsExactly(0L, 1L, 3L, 7L, 15L, 31L, 63L, 127L, 255L, 511L, 1023L, 2047L, 3847L,
				5647L, 7447L, 9247L, 11047L, 12847L);
	}

	@Test
	void seriesThatEnds_isWrittenSixMinutesAfterTheLastOccurrence() {
		run(600, 1);
		for (long second = 600; second < 3600; second++) {
			pass(second);
		}
		assertThat(this.writes).endsWith(255L, 511L, 599L + 360L);
		assertThat(this.series.count()).isEqualTo(600);
		assertThat(this.series.pending()).isZero();
	}

	@Test
	void seriesWithPauses_isWrittenWithTheOccurrence_untilTheIntervalIsLonger() {
		run(3600, 300);
		// with an interval of up to 256 s, then before the end, which is not reached
		assertThat(this.writes).startsWith(0L, 300L, 600L).endsWith(2700L, 3212L);
		assertThat(this.writes).hasSizeLessThan(12);
	}

	/**
	 * Let the series occur, and write it when it is due, as the recorder does.
	 */
	private void run(long seconds, long period) {
		for (long second = 0; second < seconds; second++) {
			if (second % period == 0) {
				if (this.series.pending() == 0) {
					this.series.schedule(moment(second).nanoTime());
				}
				this.series.add(moment(second), "");
			}
			pass(second);
		}
	}

	private void pass(long second) {
		long now = moment(second).nanoTime();
		if (this.series.pending() > 0 && this.series.due() - now <= 0 && !this.series.isContinued(now)) {
			this.writes.add(second);
			this.series.written(this.series.count(), now);
		}
	}

}
