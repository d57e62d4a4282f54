/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.shard;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.informer.InformerOptions;
import dev.informer.replicas.Shard;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.testing.NoThreadLeft;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for informers of a {@link Shard} by namespace on a real API server: replicas
 * divide the config maps of 40 namespaces.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(180)
class RealShardByNamespaceTests {

	private static final int NAMESPACES = 40;

	private static final int OBJECTS = 5;

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@RealKubernetes
	void replicas_cacheAllObjectsOfTheirNamespaces(boolean named, RealServer server) throws Exception {
		String[] namespaces = IntStream.range(0, NAMESPACES)
			.mapToObj((number) -> "team-%s-%02d".formatted(named ? "named" : "selected", number))
			.toArray(String[]::new);
		RealShardObjects objects = new RealShardObjects(server, 100, namespaces);
		objects.create(0, OBJECTS);
		Consumer<InformerOptions.Builder> options = (builder) -> {
			if (named) {
				builder.namespaces(namespaces);
			}
			else {
				builder.labelSelector(objects.selector());
			}
		};
		try (RealReplicas replicas = new RealReplicas(server, namespaces[0], Shard.Key.NAMESPACE, options)) {
			replicas.start("a", "b", "c");
			verify(replicas, objects);
			replicas.leave(replicas.members().get(0));
			objects.change(0, 1);
			verify(replicas, objects);
			replicas.join("d");
			objects.delete(0, 1);
			objects.create(OBJECTS, OBJECTS + 1);
			verify(replicas, objects);
			assertThat(replicas.members()).allSatisfy((replica) -> assertThat(replica.recorder().failures()).isEmpty());
		}
	}

	private static void verify(RealReplicas replicas, RealShardObjects objects) throws Exception {
		Map<String, String> versions = objects.versions();
		assertThat(versions).hasSize(NAMESPACES * OBJECTS);
		replicas.awaitDivided(versions);
		Map<String, String> owners = new HashMap<>();
		for (RealReplica replica : replicas.members()) {
			Set<String> cached = namespaces(replica);
			assertThat(cached).isNotEmpty();
			cached.forEach((namespace) -> assertThat(owners.put(namespace, replica.member().identity()))
				.as("other replica with objects of %s", namespace)
				.isNull());
		}
		assertThat(owners).hasSize(NAMESPACES);
	}

	private static Set<String> namespaces(RealReplica replica) {
		return replica.versions()
			.keySet()
			.stream()
			.map((key) -> key.substring(0, key.indexOf('/')))
			.collect(Collectors.toSet());
	}

}
