/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerFailure.Kind;
import dev.informer.InformerState.Phase;
import dev.informer.ResourceEvent.Deleted;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.testing.EmbeddedConfigMaps;
import dev.informer.testing.EventLog;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers whose API server fails, over HTTP against the embedded API server.
 */
@ParameterizedClass
@EnumSource(Encoding.class)
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class ServerFailureTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedConfigMaps maps;

	private final EmbeddedKubernetes kubernetes;

	private final InformerFactory informers;

	ServerFailureTests(Encoding encoding) {
		this.maps = new EmbeddedConfigMaps(encoding);
		this.kubernetes = this.maps.kubernetes();
		this.informers = this.maps.informers();
	}

	@AfterEach
	void close() {
		this.maps.close();
	}

	@Test
	void brokenWatches_resumeWithoutList() throws Exception {
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		this.maps.startAndSync();
		for (int i = 0; i < 5; i++) {
			this.maps.create("shop", "a" + i, "1");
			this.maps.awaitAgreement(informer, log);
			this.kubernetes.faults().cutWatches();
		}
		this.maps.create("shop", "last", "1");
		this.maps.awaitAgreement(informer, log);
		assertThat(this.kubernetes.requests(Verb.LIST, "configmaps")).hasSize(1);
		assertThat(this.maps.recorder().ends()).contains(WatchEnd.BROKEN);
	}

	@Test
	void serverUnavailableForAWhile_missedChangesArrive() throws Exception {
		this.maps.create("shop", "a", "1");
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		this.maps.startAndSync();
		this.maps.awaitAgreement(informer, log);
		this.kubernetes.faults().refuseConnections();
		await().until(() -> informer.state().phase() == Phase.BACKING_OFF);
		assertThat(informer.state().failure()).isNotNull()
			.satisfies((failure) -> assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE));
		this.maps.create("shop", "b", "1");
		this.maps.delete("shop", "a");
		this.kubernetes.faults().acceptConnections();
		this.maps.awaitAgreement(informer, log);
		await().until(() -> informer.state().failure() == null);
		// How many metadata requests look for a rollback depends on when the first retry
		// fails.
		assertThat(this.kubernetes.requests(Verb.LIST, "configmaps"))
			.filteredOn((request) -> !String.valueOf(request.headers().get("accept")).contains("Metadata"))
			.hasSize(1);
		assertThat(log.story()).containsExactly("ADDED shop/a", "ADDED shop/b", "DELETED shop/a");
	}

	@Test
	void expiredResourceVersion_relistsAndDeliversDifferences() throws Exception {
		this.maps.create("shop", "same", "1");
		this.maps.create("shop", "changed", "1");
		this.maps.create("shop", "gone", "1");
		this.maps.create("shop", "recreated", "1");
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		this.maps.startAndSync();
		this.maps.awaitAgreement(informer, log);
		V1ConfigMap same = informer.lister().get("shop", "same").orElseThrow();
		log.clear();
		this.kubernetes.faults().refuseConnections();
		this.maps.change("shop", "changed", "2");
		this.maps.delete("shop", "gone");
		this.maps.delete("shop", "recreated");
		this.maps.create("shop", "recreated", "1");
		this.maps.create("shop", "new", "1");
		this.kubernetes.compact();
		this.kubernetes.faults().acceptConnections();
		this.maps.awaitAgreement(informer, log);
		assertThat(log.story()).containsExactlyInAnyOrder("UPDATED shop/changed", "DELETED shop/gone",
				"DELETED shop/recreated", "ADDED shop/recreated", "ADDED shop/new");
		assertThat(log.events()).filteredOn((event) -> event instanceof Deleted<V1ConfigMap>)
			.hasSize(2)
			.allSatisfy((event) -> assertThat(((Deleted<V1ConfigMap>) event).finalStateUnknown()).isTrue());
		assertThat(informer.lister().get("shop", "same")).get().isSameAs(same);
		assertThat(this.maps.recorder().relists()).contains(RelistReason.EXPIRED);
	}

	@Test
	void forbidden_namesMissingPermissionAndLosesNothing() throws Exception {
		this.maps.create("shop", "a", "1");
		Fault forbidden = Fault.status(403);
		this.kubernetes.faults().always(Verb.LIST, "configmaps", forbidden);
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		this.informers.start();
		await().until(() -> informer.state().failure() != null);
		assertThat(this.maps.recorder().failures()).first()
			.satisfies((failure) -> assertThat(failure.message()).contains("Cannot list configmaps",
					"Grant the verbs list and watch"));
		this.kubernetes.faults().clear();
		assertThat(informer.awaitSynced(LONG)).isTrue();
		// until then, the failure is that of the list
		await().until(() -> informer.state().failure() == null);
		this.kubernetes.faults().always(Verb.WATCH, "configmaps", forbidden);
		this.kubernetes.faults().cutWatches();
		await().until(() -> informer.state().failure() != null);
		this.maps.create("shop", "b", "1");
		this.kubernetes.faults().clear();
		this.maps.awaitAgreement(informer, log);
		assertThat(log.story()).containsExactly("ADDED shop/a", "ADDED shop/b");
	}

	@Test
	void undecodableObjects_areNamedAndIsolated() throws Exception {
		this.maps.create("shop", "a", "1");
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata",
				Map.of("namespace", "shop", "name", "broken"), "data", List.of("no", "map")));
		SharedIndexInformer<V1ConfigMap> informer = this.maps.informer();
		EventLog<V1ConfigMap> log = new EventLog<>();
		informer.addHandler(log);
		this.maps.startAndSync();
		assertThat(informer.lister().list()).hasSize(1);
		assertThat(this.maps.recorder().failures()).anySatisfy((failure) -> {
			assertThat(failure.kind()).isEqualTo(Kind.UNDECODABLE_OBJECT);
			assertThat(failure.message()).contains("shop/broken", "data");
		});
		this.kubernetes.mergePatch("configmaps", "shop", "a", Map.of("immutable", "maybe"));
		this.maps.create("shop", "b", "1");
		log.awaitStory("ADDED shop/a", "ADDED shop/b");
		assertThat(informer.lister().get("shop", "a")).isPresent();
		this.maps.delete("shop", "a");
		log.awaitStory("ADDED shop/a", "ADDED shop/b", "DELETED shop/a");
	}

}
