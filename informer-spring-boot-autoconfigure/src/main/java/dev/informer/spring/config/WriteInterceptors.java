/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.util.Iterator;
import java.util.List;

import dev.informer.client.ResourceType;
import dev.informer.reconcilers.ObjectWrite;
import dev.informer.reconcilers.ObjectWriteException;
import dev.informer.reconcilers.WriteInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * {@link WriteInterceptor} that invokes several, each within the one before.
 */
public record WriteInterceptors(List<WriteInterceptor> interceptors) implements WriteInterceptor {

	@Override
	public void intercept(ObjectWrite write) throws ObjectWriteException {
		new InterceptedWrite(write, this.interceptors.iterator()).proceed();
	}

	private static final class InterceptedWrite implements ObjectWrite {

		private final ObjectWrite write;

		private final Iterator<WriteInterceptor> remaining;

		private @Nullable Outcome outcome;

		InterceptedWrite(ObjectWrite write, Iterator<WriteInterceptor> remaining) {
			this.write = write;
			this.remaining = remaining;
		}

		@Override
		public Operation operation() {
			return this.write.operation();
		}

		@Override
		public ResourceType<?> resourceType() {
			return this.write.resourceType();
		}

		@Override
		public @Nullable String namespace() {
			return this.write.namespace();
		}

		@Override
		public @Nullable String name() {
			return this.write.name();
		}

		@Override
		public Outcome proceed() throws ObjectWriteException {
			if (!this.remaining.hasNext()) {
				this.outcome = this.write.proceed();
				return this.outcome;
			}
			WriteInterceptor interceptor = this.remaining.next();
			interceptor.intercept(this);
			if (this.outcome == null) {
				throw new IllegalStateException(interceptor.getClass().getName()
						+ " did not proceed, or has suppressed the failure of the request.");
			}
			return this.outcome;
		}

	}

}
