/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.leader;

import java.time.Duration;

import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two {@link LeaderElector}s on the embedded API server.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
abstract class AbstractLeaderElectorTests {

	static final Duration LONG = Duration.ofSeconds(60);

	final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	final LeaderElector a = elector("a");

	final LeaderElector b = elector("b");

	@AfterEach
	void close() throws Exception {
		this.kubernetes.faults().clear();
		this.a.stop(Duration.ZERO);
		this.b.stop(Duration.ZERO);
		this.kubernetes.close();
	}

	private LeaderElector elector(String identity) {
		return elector(identity, Duration.ofSeconds(15), Duration.ofSeconds(10));
	}

	LeaderElector elector(String identity, Duration leaseDuration, Duration renewDeadline) {
		if (this.kubernetes.get("namespaces", null, "shop").isEmpty()) {
			this.kubernetes.create(TestObjects.namespace("shop"));
		}
		return elector(identity, leaseDuration, renewDeadline, this.kubernetes.url());
	}

	static LeaderElector elector(String identity, Duration leaseDuration, Duration renewDeadline, String url) {
		LeaderElectionOptions options = new LeaderElectionOptions("default", "app", "shop", identity, leaseDuration,
				renewDeadline, Duration.ofMillis(200));
		return new LeaderElector(options, () -> new ApiClient().setBasePath(url), Thread::new);
	}

}
