/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.webapps;

import dev.informer.reconcilers.Owned;
import dev.informer.recorder.EventRecorder;
import dev.informer.writer.Conditions;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Service;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.InOrder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.same;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;

/**
 * Tests of the methods of the controller, without a server.
 */
class WebAppControllerTests {

	private final ObjectWriter writer = mock(ObjectWriter.class);

	private final EventRecorder events = mock(EventRecorder.class);

	private final Dns dns = new Dns();

	private final WebAppController controller = new WebAppController(this.writer, this.events, this.dns);

	private final WebApp app = new WebApp(new V1ObjectMeta().namespace("default").name("shop").generation(3L),
			new WebApp.Spec("nginx:1", 2, 80));

	@Test
	void newWebApp_getsDeploymentServiceAndHost() throws ApiException {
		reconcile(Owned.of(), deployment(1, null));
		ArgumentCaptor<V1Deployment> deployment = ArgumentCaptor.forClass(V1Deployment.class);
		ArgumentCaptor<V1Service> service = ArgumentCaptor.forClass(V1Service.class);
		InOrder order = inOrder(this.writer);
		then(this.writer).should(order).apply(deployment.capture(), same(this.app));
		then(this.writer).should(order).apply(service.capture(), same(this.app));
		then(this.writer).should(order).updateStatus(this.app);
		assertThat(deployment.getValue().getSpec()).returns(2, (spec) -> spec.getReplicas())
			.returns("nginx:1", (spec) -> spec.getTemplate().getSpec().getContainers().get(0).getImage());
		assertThat(service.getValue().getSpec().getPorts()).extracting("port").containsExactly(80);
		assertThat(this.dns.hosts()).containsExactly("shop.default.example.com");
		then(this.events).should().normal(same(this.app), any(), any(), any());
		assertReady("False", "0 of 2 replicas are ready");
	}

	@Test
	void finishedRollout_isReady() throws ApiException {
		V1Deployment finished = deployment(1,
				new V1DeploymentStatus().observedGeneration(1L).replicas(2).updatedReplicas(2).readyReplicas(2));
		reconcile(Owned.of(finished), finished);
		then(this.events).shouldHaveNoInteractions();
		assertThat(this.app.status().readyReplicas()).isEqualTo(2);
		assertReady("True", "2 of 2 replicas are ready");
	}

	@Test
	void statusOfThePreviousGeneration_isNotReady() throws ApiException {
		V1Deployment changed = deployment(2,
				new V1DeploymentStatus().observedGeneration(1L).replicas(2).updatedReplicas(2).readyReplicas(2));
		reconcile(Owned.of(changed), changed);
		assertReady("False", "2 of 2 replicas are ready");
	}

	@Test
	void deletedWebApp_losesItsHost() throws ApiException {
		reconcile(Owned.of(), deployment(1, null));
		this.controller.remove(this.app);
		assertThat(this.dns.hosts()).isEmpty();
	}

	/**
	 * Call the controller, whose apply has a Deployment as its answer.
	 */
	private void reconcile(Owned<V1Deployment> owned, V1Deployment applied) throws ApiException {
		given(this.writer.apply(any(V1Deployment.class), any())).willReturn(applied);
		this.controller.reconcile(this.app, owned);
	}

	private void assertReady(String status, String message) {
		assertThat(this.app.status().conditions()).hasSize(1);
		assertThat(Conditions.find(this.app.status().conditions(), "Ready").orElseThrow())
			.returns(status, (condition) -> condition.getStatus())
			.returns(message, (condition) -> condition.getMessage())
			.returns(3L, (condition) -> condition.getObservedGeneration());
	}

	private static V1Deployment deployment(long generation, @Nullable V1DeploymentStatus status) {
		return new V1Deployment().metadata(new V1ObjectMeta().name("shop").generation(generation)).status(status);
	}

}
