/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.List;

import com.example.browser.Chromium;
import com.example.browser.HeadlessBrowser;
import dev.informer.test.EmbeddedKubernetes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the page of a replica in a browser.
 */
@HeadlessBrowser
class ReplicaPageTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ConfigurableApplicationContext context = TwoReplicas.start(this.kubernetes, 0);

	private final Chromium browser;

	ReplicaPageTests(Chromium browser) {
		this.browser = browser;
	}

	@AfterEach
	void close() {
		this.context.close();
		this.kubernetes.close();
	}

	@Test
	void leaderAndOwnedDeployments_areShown() {
		Shop shop = new Shop("shop");
		this.kubernetes.create(shop.object());
		this.kubernetes.create(shop.deployment("web", 1));
		Page.open(this.browser, "http://localhost:" + this.context.getEnvironment().getProperty("local.server.port"));
		awaitExternal().untilAsserted(
				() -> assertThat(this.browser.one("#replica").getText()).endsWith(": the leader, 64 of 64 slots"));
		awaitExternal().untilAsserted(() -> assertThat(this.browser.all(".owner")).extracting("text")
			.isEqualTo(List.of("logged by this replica")));
		this.kubernetes.create(shop.deployment("cart", 1));
		awaitExternal().untilAsserted(() -> assertThat(this.browser.all("[data-owner=this]")).hasSize(2));
		assertThat(this.browser.console()).isEmpty();
		this.browser.screenshot("page-replica");
	}

}
