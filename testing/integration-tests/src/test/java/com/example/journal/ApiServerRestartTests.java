/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.journal;

import java.util.List;

import dev.informer.ResourceEvent.Type;
import dev.informer.test.cluster.ControlPlane;
import dev.informer.test.cluster.RealKubernetes;
import dev.informer.test.cluster.RealServer;
import dev.informer.test.cluster.RequiredServer;
import dev.informer.test.support.TestObjects;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the events delivered for pods, ConfigMaps and custom resources while the
 * objects change and the API server restarts.
 */
@RealKubernetes(value = RequiredServer.CONTROL_PLANE, own = true)
class ApiServerRestartTests {

	private static final String SHOP = "shop";

	private static final String POD = "{\"spec\": {\"containers\": [{\"name\": \"main\", \"image\": \"example/web:1\"}]}}";

	private static final String CONFIG_MAP = "{\"data\": {\"key\": \"value\"}}";

	private static final String WIDGET = "{\"spec\": {\"size\": 3}}";

	private static final String WIDGETS = """
			{"spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
			          "versions": [{"name": "v1", "served": true, "storage": true,
			                        "schema": {"openAPIV3Schema": {"type": "object",
			                                                       "x-kubernetes-preserve-unknown-fields": true}}}]}}
			""";

	private final ControlPlane controlPlane;

	private final ApiClient apiClient;

	private final ServerResource pods;

	private final ServerResource configMaps;

	private final ServerResource widgets;

	ApiServerRestartTests(RealServer server) {
		this.controlPlane = server.requireControlPlane();
		this.apiClient = ServerResource.client(server);
		this.pods = ServerResource.pods(this.apiClient);
		this.configMaps = ServerResource.configMaps(this.apiClient);
		this.widgets = ServerResource.widgets(this.apiClient);
	}

	@BeforeEach
	void createNamespaceAndCustomResource() throws ApiException {
		new CoreV1Api(this.apiClient).createNamespace(TestObjects.namespace(SHOP)).execute();
		ServerResource.customResourceDefinitions(this.apiClient).create(null, "widgets.example.com", WIDGETS);
		awaitExternal().untilAsserted(() -> assertThat(this.widgets.states()).isEmpty());
	}

	@Test
	void changesAcrossApiServerRestarts_areDeliveredOnceAndInOrder() throws ApiException {
		createThree("early");
		try (ConfigurableApplicationContext context = start()) {
			JournalApplication journals = context.getBean(JournalApplication.class);
			awaitAgreement(journals);
			createThree("late");
			change("early-1", "late-1");
			awaitAgreement(journals);
			assertThat(journals.widgets.eventsOf(SHOP, "early-1")).containsExactly(Type.ADDED, Type.UPDATED);
			assertThat(journals.configMaps.eventsOf(SHOP, "late-1")).containsExactly(Type.ADDED, Type.DELETED);

			expireResourceVersionOfWidgets();
			awaitAgreement(journals);
			Relists relists = context.getBean(Relists.class);
			int relistsBefore = relists.expired("widgets");

			journals.pause();
			try {
				restartApiServer();
				change("early-2", "late-2");
				recreateWidget("late-3");
				awaitExternal()
					.untilAsserted(() -> assertThat(relists.expired("widgets")).isGreaterThan(relistsBefore));
				createThree("last");
				change("early-3", "last-3");
			}
			finally {
				journals.resume();
			}
			awaitAgreement(journals);
			for (Journal<Widget> journal : journals.widgetJournals()) {
				assertThat(journal.eventsOf(SHOP, "late-3")).containsExactly(Type.ADDED, Type.DELETED, Type.ADDED);
				assertThat(journal.eventsOf(SHOP, "early-2")).containsExactly(Type.ADDED, Type.UPDATED);
				assertThat(journal.eventsOf(SHOP, "late-2")).containsExactly(Type.ADDED, Type.DELETED);
			}
			assertThat(context.getBean(MeterRegistry.class)
				.get("kubernetes.informer.relists")
				.tags("informer", "widgets", "reason", "expired")
				.counter()
				.count()).isEqualTo(relists.expired("widgets"));

			change("early-1", "early-3");
			createThree("after");
			awaitAgreement(journals);
		}
	}

	private ConfigurableApplicationContext start() {
		return new SpringApplicationBuilder(JournalApplication.class, Relists.class).run("--spring.config.name=journal",
				"--spring.main.web-application-type=none",
				"--informer.connection.kubeconfig=" + this.controlPlane.kubeconfigFile("admin"));
	}

	private void restartApiServer() {
		this.controlPlane.killApiServer();
		this.controlPlane.startApiServer();
		this.apiClient.getHttpClient().connectionPool().evictAll();
		awaitExternal().untilAsserted(() -> assertThat(this.widgets.states()).isNotEmpty());
	}

	private void createThree(String prefix) throws ApiException {
		for (int i = 1; i <= 3; i++) {
			this.pods.create(SHOP, prefix + "-" + i, POD);
			this.configMaps.create(SHOP, prefix + "-" + i, CONFIG_MAP);
			this.widgets.create(SHOP, prefix + "-" + i, WIDGET);
		}
	}

	private void change(String patched, String deleted) throws ApiException {
		for (ServerResource resource : List.of(this.pods, this.configMaps, this.widgets)) {
			resource.label(SHOP, patched, "changed-for", deleted);
			resource.delete(SHOP, deleted);
		}
	}

	private void recreateWidget(String name) throws ApiException {
		this.widgets.delete(SHOP, name);
		this.widgets.create(SHOP, name, WIDGET);
	}

	/**
	 * Advance the resource version so far beyond that of the widgets that their watch
	 * cannot resume after a restart.
	 */
	private void expireResourceVersionOfWidgets() throws ApiException {
		for (int i = 0; i < 50; i++) {
			this.configMaps.label(SHOP, "early-1", "round", String.valueOf(i));
		}
	}

	private void awaitAgreement(JournalApplication journals) {
		for (Journal<?> journal : journals.podJournals()) {
			awaitExternal().untilAsserted(() -> journal.assertAgreesWith(this.pods));
		}
		for (Journal<?> journal : journals.configMapJournals()) {
			awaitExternal().untilAsserted(() -> journal.assertAgreesWith(this.configMaps));
		}
		for (Journal<?> journal : journals.widgetJournals()) {
			awaitExternal().untilAsserted(() -> journal.assertAgreesWith(this.widgets));
		}
	}

}
