/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.health;

import dev.informer.InformerFactory;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.support.TestInformerFactory;
import io.kubernetes.client.openapi.models.V1Node;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors.Entry;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InformerHealthContributorAutoConfiguration}.
 */
class InformerHealthContributorAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
				KubernetesConnectionAutoConfiguration.class, InformerHealthContributorAutoConfiguration.class))
		.withBean(InformerFactory.class, TestInformerFactory::new);

	@Test
	void contributors_existWithoutInformers() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasBean("informersHealthContributor").hasBean("informerSyncHealthIndicator");
			assertThat(context.getBean(InformersHealthContributor.class).stream()).isEmpty();
			assertThat(context.getBean(ReconcilersHealthContributor.class).stream()).isEmpty();
			assertThat(context.getBean(InformerSyncHealthIndicator.class).health().getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void informerAddedLater_isIncluded() {
		this.contextRunner.withPropertyValues("informer.resources.pods.required=true").run((context) -> {
			InformersHealthContributor contributor = context.getBean(InformersHealthContributor.class);
			assertThat(contributor.stream()).extracting(Entry::name).containsExactly("pods");
			context.getBean(InformerFactory.class).informer(V1Node.class);
			assertThat(contributor.stream()).extracting(Entry::name).containsExactly("pods", "nodes");
			assertThat(contributor.getContributor("nodes")).isNotNull();
			assertThat(contributor.getContributor("services")).isNull();
		});
	}

	@Test
	void informerSync_isOutOfServiceUntilFirstSync() {
		this.contextRunner.withPropertyValues("informer.resources.pods.required=true", "informer.auto-startup=false")
			.run((context) -> {
				InformerSyncHealthIndicator indicator = context.getBean(InformerSyncHealthIndicator.class);
				assertThat(indicator.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
				assertThat(indicator.health().getDetails().get("waitingFor")).asString().isEqualTo("[pods]");
				context.getBean(InformerRegistry.class).start();
				assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
				context.getBean(InformerRegistry.class).stop();
				assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
			});
	}

	@Test
	void contributors_canBeDisabled() {
		this.contextRunner.withPropertyValues("management.health.informers.enabled=false",
				"management.health.informerreconcilers.enabled=false", "management.health.informersync.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(HealthContributor.class));
	}

	@Test
	void withoutHealthOnTheClassPath_everythingElseWorks() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
			.withPropertyValues("informer.resources.pods.required=true")
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean("informersHealthContributor");
				assertThat(context.getBean(InformerRegistry.class).isRunning()).isTrue();
			});
	}

}
