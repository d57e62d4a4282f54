/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.Locale;

import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState.Phase;
import dev.informer.client.TimeSource;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.testing.EventLog;
import dev.informer.testing.InformerRecorder;
import dev.informer.testing.NoThreadLeft;
import dev.informer.testing.RealConfigMaps;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers whose objects exceed {@code maxSize}, against the real
 * kube-apiserver.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealSizeLimitTests {

	private static final String TEXT = "x".repeat(900_000);

	private final InformerRecorder recorder = new InformerRecorder();

	@ParameterizedTest
	@CsvSource({ "false, AUTO, 500", "false, JSON, 1", "true, AUTO, 500", "true, JSON, 500" })
	@RealKubernetes
	void objectsBeyondTheLimit_areReportedUntilTheyAreWithinIt(boolean streaming, Encoding encoding, int pageSize,
			RealServer server) throws Exception {
		String namespace = "limit-" + streaming + "-" + encoding.name().toLowerCase(Locale.ROOT);
		RealConfigMaps maps = new RealConfigMaps(server, namespace);
		for (int i = 0; i < 5; i++) {
			maps.create("map-" + i);
		}
		try (InformerFactory informers = this.recorder.factory(RealConfigMaps.client(server), TimeSource.SYSTEM)) {
			SharedIndexInformer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class,
					(options) -> options.namespaces(namespace)
						.maxSize(3 << 20)
						.streamingList(streaming)
						.encoding(encoding)
						.pageSize(pageSize));
			EventLog<V1ConfigMap> log = new EventLog<>();
			informer.addHandler(log);
			informer.start();
			assertThat(informer.awaitSynced(Duration.ofSeconds(60))).isTrue();
			for (int i = 0; i < 5; i++) {
				maps.change("map-" + i, TEXT);
			}
			awaitFailure(informer);
			awaitExternal().untilAsserted(() -> assertThat(informer.lister().list())
				.filteredOn((map) -> TEXT.equals(map.getData().get("text")))
				.hasSize(3));
			maps.change("map-3", "short");
			maps.change("map-4", "short");
			awaitRecovery(informer);
			maps.awaitAgreement(log);
			maps.change("map-4", TEXT);
			awaitFailure(informer);
			maps.delete("map-0");
			awaitRecovery(informer);
			maps.awaitAgreement(log);
			assertThat(this.recorder.failureKinds()).containsOnly(Kind.SIZE_LIMIT);
		}
	}

	private static void awaitFailure(SharedIndexInformer<?> informer) {
		awaitExternal().untilAsserted(() -> assertThat(informer.state().failure()).isNotNull()
			.satisfies((failure) -> assertThat(failure.message()).contains("Cannot list configmaps")
				.contains("the objects exceed the max-size of 3 MB")));
	}

	private static void awaitRecovery(SharedIndexInformer<?> informer) {
		awaitExternal().untilAsserted(() -> {
			assertThat(informer.state().failure()).isNull();
			assertThat(informer.state().failingSince()).isNull();
			assertThat(informer.state().phase()).isEqualTo(Phase.WATCHING);
		});
	}

}
