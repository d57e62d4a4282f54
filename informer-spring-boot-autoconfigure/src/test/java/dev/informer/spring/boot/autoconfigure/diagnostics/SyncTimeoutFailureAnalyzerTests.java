/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import javax.net.ssl.SSLHandshakeException;

import dev.informer.InformerFailure;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.client.Moment;
import dev.informer.client.ResourceType;
import dev.informer.spring.SyncTimeoutException;
import dev.informer.spring.UnsyncedInformer;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.diagnostics.FailureAnalysis;

import static dev.informer.spring.boot.autoconfigure.diagnostics.FailureAnalyses.analyze;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SyncTimeoutFailureAnalyzer}.
 */
class SyncTimeoutFailureAnalyzerTests {

	@Test
	void timeoutBecauseForbidden_namesVerbsAndResource() {
		FailureAnalysis analysis = analyze(timeout(failure(InformerFailure.Kind.FORBIDDEN, "403: may not list pods")));
		assertThat(analysis.getDescription()).contains("'pods' (pods/v1) is BACKING_OFF: 403: may not list pods");
		assertThat(analysis.getAction()).contains("Grant the verbs list and watch on the resource pods",
				"in each of the namespaces [shop]", "informer.resources.<name>.required=false");
		assertThat(analysis.getAction())
			.endsWith("The following manifest grants all rights of the application, to read "
					+ "and to write, once it is bound to the service account:\n\nkind: ClusterRole");
	}

	@Test
	void timeoutOfClientCreation_namesPluginAndProperty() {
		FailureAnalysis analysis = analyze(
				new SyncTimeoutException(Duration.ofSeconds(30), false, List.of(), List.of(), ""));
		assertThat(analysis.getDescription())
			.isEqualTo("The API client was not created within informer.startup.timeout (30000 ms).");
		assertThat(analysis.getAction()).contains("exec plugin", "informer.startup.timeout");
	}

	@Test
	void timeoutOfHandlers_namesThemAndTheProperty() {
		FailureAnalysis analysis = analyze(new SyncTimeoutException(Duration.ofSeconds(30), true, List.of(),
				List.of("'flags' (3 events pending, 1 running)"), ""));
		assertThat(analysis.getDescription()).isEqualTo(
				"Handlers did not receive the initial list within informer.startup.timeout (30000 ms):%n%n".formatted()
						+ "    - 'flags' (3 events pending, 1 running)");
		assertThat(analysis.getAction()).contains("increase informer.startup.timeout",
				"informer.startup.await-handlers=false");
	}

	@Test
	void timeoutForOtherReasons_givesRemedy() {
		assertThat(analyze(timeout(null)).getAction()).contains("increase informer.startup.timeout");
		assertThat(analyze(timeout(failure(InformerFailure.Kind.UNREACHABLE, "no"))).getAction())
			.contains("Check that the API server is running");
		assertThat(analyze(timeout(failure(InformerFailure.Kind.UNAUTHORIZED, "no"))).getAction())
			.contains("Configure credentials");
		assertThat(analyze(timeout(failure(InformerFailure.Kind.NOT_FOUND, "no"))).getAction())
			.contains("Correct informer.connection.url", "it may not be an API server");
		assertThat(analyze(timeout(ResourceType.dynamic("example.com", "v1", "tenants", "Tenant", true),
				failure(InformerFailure.Kind.NOT_FOUND, "no")))
			.getAction()).contains("Install the resource tenants.example.com in version v1");
		InformerFailure tls = new InformerFailure(InformerFailure.Kind.UNREACHABLE, "unknown CA", Instant.EPOCH,
				new SSLHandshakeException("unknown CA"));
		assertThat(analyze(timeout(tls)).getAction()).contains("informer.connection.ca-certificate", "client-key");
		IOException unsent = new SocketException("Broken pipe");
		unsent.addSuppressed(new SSLHandshakeException("Received fatal alert: certificate_required"));
		assertThat(analyze(timeout(new InformerFailure(InformerFailure.Kind.UNREACHABLE, "no", Instant.EPOCH, unsent)))
			.getAction()).contains("client-certificate");
		assertThat(analyze(timeout(failure(InformerFailure.Kind.OVERLOADED, "no"))).getAction())
			.contains("informer.resources.pods.required=false");
	}

	@Test
	void missingPermissionsForNamespaceSelector_areNamedWithClusterRoleAndRole() {
		Moment since = new Moment(Instant.EPOCH, 0);
		InformerState state = new InformerState(InformerState.Phase.BACKING_OFF, since,
				failure(InformerFailure.Kind.FORBIDDEN, "Cannot list namespaces: 403"), since, null);
		FailureAnalysis analysis = analyze(new SyncTimeoutException(Duration.ofSeconds(30), true,
				List.of(new UnsyncedInformer("pods", ResourceType.of(V1Pod.class),
						new InformerOptions.Builder(InformerOptions.DEFAULT).namespaceSelector("team=platform").build(),
						null, state)),
				List.of(), ""));
		assertThat(analysis.getDescription()).contains("Cannot list namespaces: 403");
		assertThat(analysis.getAction()).contains("on the resource namespaces by a ClusterRole",
				"on the resource pods by a Role and a RoleBinding in each namespace that matches 'team=platform'",
				"kubectl auth can-i watch namespaces");
	}

	private static SyncTimeoutException timeout(@Nullable InformerFailure failure) {
		return timeout(ResourceType.of(V1Pod.class), failure);
	}

	private static SyncTimeoutException timeout(ResourceType<?> resourceType, @Nullable InformerFailure failure) {
		Moment since = new Moment(Instant.EPOCH, 0);
		InformerState state = new InformerState(InformerState.Phase.BACKING_OFF, since, failure, since, null);
		return new SyncTimeoutException(Duration.ofSeconds(30), true,
				List.of(new UnsyncedInformer("pods", resourceType,
						new InformerOptions.Builder(InformerOptions.DEFAULT).namespaces("shop").build(), null, state)),
				List.of(),
				(failure != null && failure.kind() == InformerFailure.Kind.FORBIDDEN) ? "kind: ClusterRole" : "");
	}

	private static InformerFailure failure(InformerFailure.Kind kind, String message) {
		return new InformerFailure(kind, message, Instant.EPOCH, new IllegalStateException(message));
	}

}
